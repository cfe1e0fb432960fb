/** Reports updates with dotted keys (`settings.a.b`) whose path leads through a value that is not an object. */
import { AppError } from '../errors.ts';

/** MongoDB's `PathNotViable`. */
const PATH_NOT_VIABLE_CODE = 28;

/**
 * Runs an update that may set `settings` with dotted keys. Throws 422 if a key leads through a value that is not an
 * object.
 */
export const withInvalidPathError = async <T>(update: () => Promise<T>): Promise<T> => {
  try {
    return await update();
  } catch (error) {
    if ((error as { code?: number }).code === PATH_NOT_VIABLE_CODE)
      throw new AppError(
        422,
        'INVALID',
        'settings: a dotted key leads through a value that is not an object; set that value to an object first',
      );
    throw error;
  }
};
