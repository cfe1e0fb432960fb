/** The operations of the API and their records. `npm run check -- --fix` generates this file. */

export type _Schema0 =
  | string
  | number
  | boolean
  | null
  | _Schema0[]
  | {
      [k: string]: _Schema0;
    };
export type _Schema2 =
  | string
  | number
  | boolean
  | null
  | _Schema2[]
  | {
      [k: string]: _Schema2;
    };
export type _Schema1 =
  | string
  | number
  | boolean
  | null
  | _Schema1[]
  | {
      [k: string]: _Schema1;
    };

export interface Operations {
  /**
   * Create an account. A verification email is sent unless `disableEmail` is true, an invitation verifies the address, or an instance administrator makes the call
   */
  'POST /v3/auth/signup': {
    body: {
      /**
       * Stored in lower case
       */
      email: string;
      password: string;
      firstname: string;
      lastname: string;
      /**
       * In E.164 format
       */
      phone?: string;
      /**
       * Last segment of the link in the invitation email; also verifies the email address
       */
      invitation?: string;
      /**
       * `true`: do not send the verification email
       */
      disableEmail?: boolean;
    };
    reply: {
      success: boolean;
      msg: string;
      user: User;
    };
  };
  /**
   * Verify the email address of an account with the code from the email and the account's password or token
   */
  'PUT /v3/auth/verifyemail/{userid}/{code}': {
    path: {
      /**
       * Id of the user; 24 hexadecimal digits
       */
      userid: string;
      /**
       * The code from the verification email, or the code of a built-in trigger
       */
      code: string;
    };
    body: {
      /**
       * Password of the account; not required if the call has the account's token
       */
      password?: string;
    };
    reply: User;
  };
  /**
   * Send a password reset link by email. The reply does not reveal whether the account exists
   */
  'PUT /v3/auth/requestresetpsw': {
    body: {
      /**
       * Stored in lower case
       */
      email: string;
    };
    reply: {
      success: boolean;
      message: string;
    };
  };
  /**
   * Check a password reset key and get the account that it belongs to
   */
  'GET /v3/auth/checkpswresetkey/{resetpswrequestid}': {
    path: {
      /**
       * The key from the password reset email
       */
      resetpswrequestid: string;
    };
    reply: {
      message: string;
      user: SignedInUser;
    };
  };
  /**
   * Set a new password with the key from the email. This verifies the address and revokes all tokens of the account
   */
  'PUT /v3/auth/resetpsw/{resetpswrequestid}': {
    path: {
      /**
       * The key from the password reset email
       */
      resetpswrequestid: string;
    };
    body: {
      password: string;
    };
    reply: {
      message: string;
      user: SignedInUser;
    };
  };
  /**
   * Sign in with an email address and a password
   */
  'POST /v3/auth/signin': {
    body: {
      /**
       * Stored in lower case
       */
      email: string;
      password: string;
    };
    reply: {
      success: boolean;
      /**
       * Value for the `Authorization` header, including the `JWT ` prefix
       */
      token: string;
      user: SignedInUser;
    };
  };
  /**
   * Create a visitor of a project and sign the visitor in
   */
  'POST /v3/auth/signinAnonymously': {
    body: {
      /**
       * Id of the project
       */
      id_project: string;
      /**
       * Default: `guest#` followed by four characters
       */
      firstname?: string;
      lastname?: string;
      /**
       * Stored in lower case
       */
      email?: string;
      attributes?: {
        [k: string]: _Schema0;
      };
    };
    reply: {
      success: boolean;
      /**
       * Value for the `Authorization` header, including the `JWT ` prefix
       */
      token: string;
      user: {
        _id: string;
        id: string;
        firstname: string;
        lastname?: string;
        email?: string;
        attributes?: {
          [k: string]: unknown;
        };
        fullName: string;
      };
    };
  };
  /**
   * List the tokens of the caller and of the bots and subscriptions that the caller administers, newest first
   */
  'GET /v3/jwt/history': {
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'expiresAt' | 'lastUsedAt';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'expiresAt' | 'lastUsedAt';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
    };
    reply: {
      perPage: number;
      count: number;
      history: Token[];
    };
  };
  /**
   * Revoke a token by its record id. All processes reject it within one second
   */
  'DELETE /v3/jwt/history/id/{id}': {
    path: {
      /**
       * Id of the record
       */
      id: string;
    };
    reply: Token;
  };
  /**
   * Revoke a token by its `jti`. All processes reject it within one second
   */
  'DELETE /v3/jwt/history/{jti}': {
    path: {
      /**
       * Id of the token (its `jti` claim)
       */
      jti: string;
    };
    reply: Token;
  };
  /**
   * Sign in a user of a project with a token that the project signed. A token that no project signed is returned unchanged
   */
  'POST /v3/auth/signinWithCustomToken': {
    body: {
      /**
       * The project that signed the token; for a token that no project signed, a project of the caller
       */
      id_project?: string;
    };
    reply: {
      success: boolean;
      /**
       * The token of the call, with the `JWT ` prefix
       */
      token: string;
      user: {
        _id: string;
        [k: string]: unknown;
      };
    };
  };
  /**
   * Get credentials for the realtime endpoint: the token of the call, or a new one after Basic authentication
   */
  'POST /v3/chat21/native/auth/createCustomToken': {
    reply: {
      userid: string;
      fullname: string;
      firstname: string;
      lastname: string;
      token: string;
    };
  };
  /**
   * Create a secret with which the project signs tokens. The secret is shown once; the previous one expires after `overlap` seconds
   */
  'POST /v3/{project_id}/keys/generate': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Seconds until the previous secret expires; use 0 if it was compromised. At most 3 secrets are valid at a time
       */
      overlap?: number;
    };
    reply: {
      jwtSecret: string;
    };
  };
  /**
   * Get the caller's account; 404 for visitors, who have no account
   */
  'GET /v3/users': {
    reply: SignedInUser;
  };
  /**
   * Update the caller's account; absent and null fields are unchanged
   */
  'PUT /v3/users': {
    body: {
      firstname?: string | null;
      lastname?: string | null;
      /**
       * Replaces all attributes
       */
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      description?: string | null;
      public_email?: string | null;
      public_website?: string | null;
      phone?: string | null;
    };
    reply: {
      success: boolean;
      updatedUser: User;
    };
  };
  /**
   * Close the caller's account and erase its personal data. Projects without another active owner are disabled
   */
  'DELETE /v3/users': {
    reply: {
      success: boolean;
      updatedUser: User;
    };
  };
  /**
   * Change the caller's password. All tokens issued so far are revoked, including the token of this call
   */
  'PUT /v3/users/changepsw': {
    body: {
      oldpsw: string;
      newpsw: string;
    };
    reply: {
      message: string;
    };
  };
  /**
   * Resend the email that verifies the caller's address
   */
  'GET /v3/users/resendverifyemail': {
    reply: {
      success: boolean;
      message: string;
    };
  };
  /**
   * Email the caller a sign-in link for another device
   */
  'POST /v3/users/loginemail': {
    body: {
      id_project: string;
      bot_id?: string;
      namespace_id?: string;
    };
    reply: {
      success: boolean;
      message: string;
    };
  };
  /**
   * Close the caller's account and delete its record
   */
  'DELETE /v3/users/physical': {
    reply: {
      success: boolean;
      user: {
        acknowledged: boolean;
        deletedCount: number;
      };
    };
  };
  /**
   * Get the public profile of an account
   */
  'GET /v3/users_util/{userid}': {
    path: {
      /**
       * Id of the user; 24 hexadecimal digits
       */
      userid: string;
    };
    reply: PublicUser;
  };
  /**
   * Create a project; the caller becomes its owner
   */
  'POST /v3/projects': {
    body: {
      name: string;
    };
    reply: Project;
  };
  /**
   * List the caller's memberships with their projects, most recently updated project first
   */
  'GET /v3/projects': {
    reply: Membership[];
  };
  /**
   * List all projects of the instance, newest first (instance administrators only)
   */
  'GET /v3/projects/all': {
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 1000, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'name';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'name';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
    };
    reply: ProjectSummary[];
  };
  /**
   * Get a project
   */
  'GET /v3/projects/{project_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: Project;
  };
  /**
   * Update a project; absent and null fields are unchanged
   */
  'PUT /v3/projects/{project_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      name?: string | null;
      activeOperatingHours?: boolean | null;
      operatingHours?: string | null;
      timeSlots?: {
        [k: string]: {
          name?: string;
          active?: boolean;
          /**
           * JSON: time ranges by weekday (`0` is Sunday), `tzname`, and `exceptions` by date; on the date of an exception without `hours`, the project is closed
           */
          hours?: string;
        };
      } | null;
      settings?: {
        [k: string]: _Schema0;
      } | null;
      widget?: {
        [k: string]: _Schema0;
      } | null;
      versions?: number | null;
      channels?:
        | {
            name: string;
          }[]
        | null;
      ipFilterEnabled?: boolean | null;
      ipFilter?: string[] | null;
      ipFilterDenyEnabled?: boolean | null;
      ipFilterDeny?: string[] | null;
      bannedUsers?:
        | {
            id: string;
            ip?: string;
            /**
             * 24 hexadecimal digits
             */
            _id?: string;
          }[]
        | null;
      profile?: {
        [k: string]: _Schema0;
      } | null;
      'settings.email.autoSendTranscriptToRequester'?: boolean | null;
      'settings.email.notification.conversation.assigned'?: boolean | null;
      'settings.email.notification.conversation.pooled'?: boolean | null;
      'settings.email.templates.assignedRequest'?:
        | (
            | string
            | {
                [k: string]: _Schema0;
              }
          )
        | null;
      'settings.email.templates.assignedEmailMessage'?:
        | (
            | string
            | {
                [k: string]: _Schema0;
              }
          )
        | null;
      'settings.email.templates.pooledRequest'?:
        | (
            | string
            | {
                [k: string]: _Schema0;
              }
          )
        | null;
      'settings.email.templates.pooledEmailMessage'?:
        | (
            | string
            | {
                [k: string]: _Schema0;
              }
          )
        | null;
      'settings.email.templates.newMessage'?:
        | (
            | string
            | {
                [k: string]: _Schema0;
              }
          )
        | null;
      'settings.email.templates.newMessageFollower'?:
        | (
            | string
            | {
                [k: string]: _Schema0;
              }
          )
        | null;
      'settings.email.templates.ticket'?:
        | (
            | string
            | {
                [k: string]: _Schema0;
              }
          )
        | null;
      'settings.email.templates.sendTranscript'?:
        | (
            | string
            | {
                [k: string]: _Schema0;
              }
          )
        | null;
      'settings.email.templates.emailDirect'?:
        | (
            | string
            | {
                [k: string]: _Schema0;
              }
          )
        | null;
      'settings.email.templates.assignedRequestSubject'?: string | null;
      'settings.email.templates.pooledRequestSubject'?: string | null;
      'settings.email.templates.assignedEmailMessageSubject'?: string | null;
      'settings.email.templates.pooledEmailMessageSubject'?: string | null;
      'settings.email.templates.newMessageFollowerSubject'?: string | null;
      'settings.email.templates.newMessageSubject'?: string | null;
      'settings.email.templates.ticketSubject'?: string | null;
      'settings.email.templates.sendTranscriptSubject'?: string | null;
      'settings.email.templates.emailDirectSubject'?: string | null;
      'settings.email.from'?: string | null;
      'settings.email.config.host'?: string | null;
      'settings.email.config.port'?: number | null;
      'settings.email.config.secure'?: boolean | null;
      'settings.email.config.user'?: string | null;
      'settings.email.config.pass'?: string | null;
      'settings.chat_limit_on'?: boolean | null;
      'settings.max_agent_assigned_chat'?: number | null;
      'settings.reassignment_on'?: boolean | null;
      'settings.reassignment_delay'?: number | null;
      'settings.automatic_unavailable_status_on'?: boolean | null;
      'settings.automatic_idle_chats'?: number | null;
      'settings.current_agent_my_chats_only'?: boolean | null;
      'settings.chatbots_attributes_hidden'?: boolean | null;
      'settings.allow_send_emoji'?: boolean | null;
      'settings.allowed_urls'?: boolean | null;
      'settings.allowed_urls_list'?: string[] | null;
      'settings.allowed_upload_extentions'?: string | null;
    };
    reply: Project;
  };
  /**
   * Disable a project permanently; its records are kept
   */
  'DELETE /v3/projects/{project_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: Project;
  };
  /**
   * Merge attributes into a project
   */
  'PATCH /v3/projects/{project_id}/attributes': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      [k: string]: _Schema0;
    };
    reply: Project;
  };
  /**
   * Ban a visitor from a project
   */
  'POST /v3/projects/{project_id}/ban': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      id: string;
      ip?: string;
    };
    reply: Project;
  };
  /**
   * Remove the ban on a visitor
   */
  'DELETE /v3/projects/{project_id}/ban/{banid}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the entry in `bannedUsers`; 24 hexadecimal digits
       */
      banid: string;
    };
    reply: Project;
  };
  /**
   * Delete a project and all its records in the background
   */
  'DELETE /v3/projects/{project_id}/physical': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: ProjectRemoval;
  };
  /**
   * Get the report on a project deletion; only the user who requested the deletion can read it
   */
  'GET /v3/projects/{project_id}/removal': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: ProjectRemoval;
  };
  /**
   * Check whether a project or one of its time slots is open
   */
  'GET /v3/projects/{project_id}/isopen': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Id of a time slot, which has hours of its own; default: the operating hours of the project
       */
      timeSlot?: string;
      /**
       * Time to check; default: now
       */
      at?: string;
    };
    reply: {
      isopen: boolean;
    };
  };
  /**
   * List the teammates who can take a conversation now
   */
  'GET /v3/projects/{project_id}/users/availables': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * `true`: ignore the operating hours
       */
      raw?: string;
      /**
       * Id of a department: only teammates who serve it
       */
      department?: string;
    };
    reply: {
      id: string;
      pu_id: string;
      firstname: string;
      lastname: string;
      fullname: string;
      /**
       * Number of open conversations
       */
      assigned_request: number;
    }[];
  };
  /**
   * Replace the widget settings; HTML in them is sanitized
   */
  'PUT /v3/projects/{project_id}/availables': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      widget: {
        [k: string]: _Schema0;
      };
    };
    reply: {
      widget: {
        [k: string]: unknown;
      };
    };
  };
  /**
   * Get what the web widget needs to start: the project, its available teammates and its departments
   */
  'GET /v3/{project_id}/widgets': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: {
      project: PublicProject;
      user_available: {
        id: string;
        firstname: string;
      }[];
      departments: PublicDepartment[];
      /**
       * IP address of the caller
       */
      ip: string;
      botsRules: unknown[];
    };
  };
  /**
   * Get the IP address of the caller
   */
  'GET /v3/{project_id}/widgets/ip': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: {
      ip: string;
      ipStandard: string;
      parseIp: string;
    };
  };
  /**
   * List the teammates, or the members with the given roles
   */
  'GET /v3/{project_id}/project_users': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 1000, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Any value except `false` and the empty string: include trashed memberships
       */
      trashed?: string;
      /**
       * One or several roles; visitors have the role `guest` or `user`
       */
      role?: ('guest' | 'user' | 'agent' | 'admin' | 'owner') | ('guest' | 'user' | 'agent' | 'admin' | 'owner')[];
      /**
       * Only records with this status
       */
      status?: 'active' | 'disabled';
      /**
       * Only members with this presence: `online` or `offline`
       */
      presencestatus?: 'online' | 'offline';
    };
    reply: Teammate[];
  };
  /**
   * Create a visitor for whom teammates can open conversations
   */
  'POST /v3/{project_id}/project_users': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * @maxItems 100
       */
      tags?: {
        tag: string;
        color?: string;
        attributes?: {
          [k: string]: _Schema0;
        };
      }[];
    };
    reply: TeammateUpdated;
  };
  /**
   * Update the caller's own membership; absent and null fields are unchanged
   */
  'PUT /v3/{project_id}/project_users': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * At most the caller's own role
       */
      role?: ('agent' | 'admin' | 'owner') | null;
      user_available?: boolean | null;
      /**
       * Free text about the availability; an empty string clears it
       */
      profileStatus?: string | null;
      /**
       * Maximum number of open conversations; -1: the limit of the project
       */
      max_assigned_chat?: number | null;
      /**
       * Former name of `max_assigned_chat`
       */
      max_served_chat?: number | null;
      /**
       * Replaces all attributes
       */
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      /**
       * Replaces all settings
       */
      settings?: {
        [k: string]: _Schema0;
      } | null;
      /**
       * Replaces all tags
       */
      tags?:
        | {
            tag: string;
            color?: string;
            attributes?: {
              [k: string]: _Schema0;
            };
          }[]
        | null;
      /**
       * `system`: the event `project_user.updated` reports the change of availability as automatic. This field is not stored
       */
      availabilityInitiator?: string | null;
      'settings.email.notification.conversation.assigned.toyou'?: boolean | null;
      'settings.email.notification.conversation.pooled'?: boolean | null;
    };
    reply: TeammateUpdated;
  };
  /**
   * Get the caller's own membership, as an array with one item
   */
  'GET /v3/{project_id}/project_users/me': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: OwnTeammate[];
  };
  /**
   * Get the user id of the member with this email address
   */
  'GET /v3/{project_id}/project_users/users/search': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query: {
      /**
       * Complete email address of the member or lead
       */
      email: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
    };
  };
  /**
   * Get the membership of a user or visitor, even if it is disabled or trashed
   */
  'GET /v3/{project_id}/project_users/users/{user_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the user, or UUID of the visitor
       */
      user_id: string;
    };
    reply: Teammate;
  };
  /**
   * Get a membership
   */
  'GET /v3/{project_id}/project_users/{project_user_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the teammate; 24 hexadecimal digits
       */
      project_user_id: string;
    };
    reply: Teammate;
  };
  /**
   * Update a membership; absent and null fields are unchanged
   */
  'PUT /v3/{project_id}/project_users/{project_user_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the teammate; 24 hexadecimal digits
       */
      project_user_id: string;
    };
    body: {
      /**
       * At most the caller's own role
       */
      role?: ('agent' | 'admin' | 'owner') | null;
      user_available?: boolean | null;
      /**
       * Free text about the availability; an empty string clears it
       */
      profileStatus?: string | null;
      /**
       * Maximum number of open conversations; -1: the limit of the project
       */
      max_assigned_chat?: number | null;
      /**
       * Former name of `max_assigned_chat`
       */
      max_served_chat?: number | null;
      /**
       * Replaces all attributes
       */
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      /**
       * Replaces all settings
       */
      settings?: {
        [k: string]: _Schema0;
      } | null;
      /**
       * Replaces all tags
       */
      tags?:
        | {
            tag: string;
            color?: string;
            attributes?: {
              [k: string]: _Schema0;
            };
          }[]
        | null;
      /**
       * `system`: the event `project_user.updated` reports the change of availability as automatic. This field is not stored
       */
      availabilityInitiator?: string | null;
      'settings.email.notification.conversation.assigned.toyou'?: boolean | null;
      'settings.email.notification.conversation.pooled'?: boolean | null;
      status?: ('active' | 'disabled') | null;
    };
    reply: TeammateUpdated;
  };
  /**
   * Disable a teammate. `soft=true` trashes the membership; `hard=true` deletes it. Open conversations stay assigned
   */
  'DELETE /v3/{project_id}/project_users/{project_user_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the teammate; 24 hexadecimal digits
       */
      project_user_id: string;
    };
    query?: {
      /**
       * `true`: move to the trash, from which the record can be restored
       */
      soft?: string;
      /**
       * `true`: delete permanently
       */
      hard?: string;
    };
    reply: TeammateUpdated;
  };
  /**
   * Restore a trashed or disabled membership
   */
  'PUT /v3/{project_id}/project_users/{project_user_id}/restore': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the teammate; 24 hexadecimal digits
       */
      project_user_id: string;
    };
    reply: TeammateUpdated;
  };
  /**
   * Invite a person by email. The membership starts immediately if an account owns the address, otherwise as soon as there is such an account
   */
  'POST /v3/{project_id}/project_users/invite': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      email: string;
      role: 'agent' | 'admin';
      user_available?: boolean;
      firstname?: string;
      lastname?: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      role: string;
      /**
       * 1: teammate, 2: visitor
       */
      roleType: number;
      user_available: boolean;
      status: 'active' | 'disabled';
      trashed: boolean;
      attributes?: {
        [k: string]: unknown;
      };
      settings?: {
        [k: string]: unknown;
      };
      max_assigned_chat?: number;
      number_assigned_requests: number;
      /**
       * ISO 8601, UTC
       */
      last_login_at?: string;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      /**
       * 24 hexadecimal digits
       */
      id: string;
      id_project: string;
      /**
       * The visitor's id; absent for people with an account
       */
      uuid_user?: string;
      profileStatus?: string;
      presence: 'online' | 'offline';
      tags: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        tag: string;
        color?: string;
        attributes?: {
          [k: string]: unknown;
        };
      }[];
      permissions: string[];
      isAuthenticated: boolean;
      /**
       * 24 hexadecimal digits
       */
      id_user?: string;
      msg?: string;
      pendingInvitation?: PendingInvitation;
    };
  };
  /**
   * Get an invitation by the secret in its email link, for the sign-up page
   */
  'GET /v3/auth/pendinginvitationsnoauth/{pendinginvitationid}': {
    path: {
      /**
       * Id of the pending invitation; 24 hexadecimal digits
       */
      pendinginvitationid: string;
    };
    reply: PendingInvitation;
  };
  /**
   * List the pending invitations
   */
  'GET /v3/{project_id}/pendinginvitations': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: PendingInvitation[];
  };
  /**
   * Invite a person whose address no account owns; agents can invite only agents
   */
  'POST /v3/{project_id}/pendinginvitations': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      email: string;
      role: 'agent' | 'admin';
      user_available?: boolean;
      firstname?: string;
      lastname?: string;
    };
    reply: PendingInvitation;
  };
  /**
   * Get a pending invitation
   */
  'GET /v3/{project_id}/pendinginvitations/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: PendingInvitation;
  };
  /**
   * Update an invitation. A new address receives an email; the link in the previous email becomes invalid
   */
  'PUT /v3/{project_id}/pendinginvitations/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      email: string;
      role: 'agent' | 'admin';
      user_available?: boolean;
      firstname?: string;
      lastname?: string;
    };
    reply: PendingInvitation;
  };
  /**
   * Withdraw an invitation
   */
  'DELETE /v3/{project_id}/pendinginvitations/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: {
      acknowledged: boolean;
      deletedCount: number;
      n: number;
      ok: number;
    };
  };
  /**
   * Resend the email for a pending invitation
   */
  'GET /v3/{project_id}/pendinginvitations/resendinvite/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: {
      'Resend invitation email to': PendingInvitation;
    };
  };
  /**
   * List the groups, sorted by name
   */
  'GET /v3/{project_id}/groups': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Id of a user: only groups that contain this user
       */
      member?: string;
    };
    reply: Group[];
  };
  /**
   * Create a group
   */
  'POST /v3/{project_id}/groups': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      name: string;
      members?: string[] | null;
    };
    reply: Group;
  };
  /**
   * Get a group
   */
  'GET /v3/{project_id}/groups/{group_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the group; 24 hexadecimal digits
       */
      group_id: string;
    };
    reply: Group;
  };
  /**
   * Update a group; absent and null fields are unchanged
   */
  'PUT /v3/{project_id}/groups/{group_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the group; 24 hexadecimal digits
       */
      group_id: string;
    };
    body: {
      name?: string | null;
      members?: string[] | null;
      trashed?: boolean | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: Group;
  };
  /**
   * Trash a group, or delete it permanently with `force=true`
   */
  'DELETE /v3/{project_id}/groups/{group_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the group; 24 hexadecimal digits
       */
      group_id: string;
    };
    query?: {
      /**
       * `true`: delete permanently
       */
      force?: string;
    };
    reply:
      | {
          success: true;
          message: string;
        }
      | Group;
  };
  /**
   * Enable a group
   */
  'PUT /v3/{project_id}/groups/enable/{group_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the group; 24 hexadecimal digits
       */
      group_id: string;
    };
    reply: Group;
  };
  /**
   * Disable a group
   */
  'PUT /v3/{project_id}/groups/disable/{group_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the group; 24 hexadecimal digits
       */
      group_id: string;
    };
    reply: Group;
  };
  /**
   * List the departments that visitors can contact. Teammates get more fields than visitors
   */
  'GET /v3/{project_id}/departments': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Any value: sort the departments by name
       */
      sort?: string;
    };
    reply: (Department | PublicDepartment)[];
  };
  /**
   * Create a department
   */
  'POST /v3/{project_id}/departments': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      name: string;
      description?: string | null;
      routing?: ('assigned' | 'pooled') | null;
      /**
       * 0: hidden from visitors; -1: hidden from teammates as well
       */
      status?: (1 | 0 | -1) | null;
      /**
       * Id of the bot that answers first
       */
      id_bot?: (string | '') | null;
      bot_only?: boolean | null;
      /**
       * Id of the group that serves the department
       */
      id_group?: (string | '') | null;
      /**
       * Groups that share the conversations of the department
       */
      groups?:
        | {
            /**
             * 24 hexadecimal digits
             */
            id_group?: string;
            /**
             * Alias of `id_group`
             */
            group_id?: string;
            /**
             * Percentage of the conversations that the group gets
             */
            percentage?: number | null;
          }[]
        | null;
      online_msg?: string | null;
      offline_msg?: string | null;
      tags?:
        | {
            tag: string;
            color?: string;
            attributes?: {
              [k: string]: _Schema0;
            };
          }[]
        | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      /**
       * `true`: make it the default department; the current default department loses this role
       */
      default?: boolean | null;
    };
    reply: Department;
  };
  /**
   * List the departments, including those hidden from visitors
   */
  'GET /v3/{project_id}/departments/allstatus': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Any value: sort the departments by name
       */
      sort?: string;
    };
    reply: Department[];
  };
  /**
   * Get a department by its id. The id `default` stands for the default department
   */
  'GET /v3/{project_id}/departments/{department_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the department; 24 hexadecimal digits. GET also accepts `default`
       */
      department_id: string;
    };
    reply: Department | PublicDepartment;
  };
  /**
   * Update a department. The bot and the groups are removed if the body lacks them; other absent fields remain unchanged
   */
  'PUT /v3/{project_id}/departments/{department_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the department; 24 hexadecimal digits. GET also accepts `default`
       */
      department_id: string;
    };
    body: {
      name?: string | null;
      description?: string | null;
      routing?: ('assigned' | 'pooled') | null;
      /**
       * 0: hidden from visitors; -1: hidden from teammates as well
       */
      status?: (1 | 0 | -1) | null;
      /**
       * Id of the bot that answers first
       */
      id_bot?: (string | '') | null;
      bot_only?: boolean | null;
      /**
       * Id of the group that serves the department
       */
      id_group?: (string | '') | null;
      /**
       * Groups that share the conversations of the department
       */
      groups?:
        | {
            /**
             * 24 hexadecimal digits
             */
            id_group?: string;
            /**
             * Alias of `id_group`
             */
            group_id?: string;
            /**
             * Percentage of the conversations that the group gets
             */
            percentage?: number | null;
          }[]
        | null;
      online_msg?: string | null;
      offline_msg?: string | null;
      tags?:
        | {
            tag: string;
            color?: string;
            attributes?: {
              [k: string]: _Schema0;
            };
          }[]
        | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: Department;
  };
  /**
   * Update the given fields of a department. An empty string or list removes the bot or groups
   */
  'PATCH /v3/{project_id}/departments/{department_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the department; 24 hexadecimal digits. GET also accepts `default`
       */
      department_id: string;
    };
    body: {
      name?: string | null;
      description?: string | null;
      routing?: ('assigned' | 'pooled') | null;
      /**
       * 0: hidden from visitors; -1: hidden from teammates as well
       */
      status?: (1 | 0 | -1) | null;
      /**
       * Id of the bot that answers first
       */
      id_bot?: (string | '') | null;
      bot_only?: boolean | null;
      /**
       * Id of the group that serves the department
       */
      id_group?: (string | '') | null;
      /**
       * Groups that share the conversations of the department
       */
      groups?:
        | {
            /**
             * 24 hexadecimal digits
             */
            id_group?: string;
            /**
             * Alias of `id_group`
             */
            group_id?: string;
            /**
             * Percentage of the conversations that the group gets
             */
            percentage?: number | null;
          }[]
        | null;
      online_msg?: string | null;
      offline_msg?: string | null;
      tags?:
        | {
            tag: string;
            color?: string;
            attributes?: {
              [k: string]: _Schema0;
            };
          }[]
        | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: Department;
  };
  /**
   * Delete a department; its open conversations move to the default department
   */
  'DELETE /v3/{project_id}/departments/{department_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the department; 24 hexadecimal digits. GET also accepts `default`
       */
      department_id: string;
    };
    reply: Department;
  };
  /**
   * List the agents of a department and show who would get a conversation now
   */
  'GET /v3/{project_id}/departments/{department_id}/operators': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the department; 24 hexadecimal digits. GET also accepts `default`
       */
      department_id: string;
    };
    query?: {
      /**
       * Any value: ignore the bot of the department
       */
      nobot?: string;
      /**
       * `true`: ignore the limits on open conversations, and do not call the subscriptions to `operator.select`
       */
      disableWebHookCall?: string;
    };
    reply: {
      department: Department;
      /**
       * Agents who serve the department
       */
      agents: TeammateUpdated[];
      /**
       * Agents who are available now
       */
      available_agents: TeammateUpdated[];
      /**
       * The agent or bot that would get a conversation now; empty if none
       */
      operators: (
        | TeammateUpdated
        | {
            id_user: string;
          }
      )[];
      id_bot?: string;
      group?: Group[];
      id_project?: string;
      available_agents_request?: {
        project_user: TeammateUpdated;
        openRequestsCount: number;
        /**
         * Same as `openRequestsCount`, in the spelling that deployed clients rely on
         */
        openRequetsCount: number;
      }[];
      project?: Project;
    };
  };
  /**
   * Simulate routing: show who would get each of the next conversations and why. Nothing is stored
   */
  'POST /v3/{project_id}/departments/{department_id}/routing': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the department; 24 hexadecimal digits. GET also accepts `default`
       */
      department_id: string;
    };
    body: {
      /**
       * Number of new conversations to simulate; default 1
       */
      requests?: number | null;
      /**
       * `true`: ignore the bot of the department
       */
      nobot?: boolean | null;
    };
    reply: {
      department: string;
      arrivals: SimulatedDecision[];
    };
  };
  /**
   * List the bots, newest first. Agents see only some of the fields, and no bots whose `agents_available` is false
   */
  'GET /v3/{project_id}/bots': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * `true`: includes the bot of the type `identity`, which represents the project
       */
      all?: boolean;
      /**
       * Words to find in the name, description or tags
       */
      text?: string;
      /**
       * Language code such as `en`
       */
      language?: string;
      /**
       * `true`: only records that every project may copy; `false`: only the others
       */
      public?: boolean;
      /**
       * `true`: only records whose `certified` is true; `false`: only the others
       */
      certified?: boolean;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      name: string;
      description?: string;
      /**
       * `internal`: built-in engine; bots of other types, except `identity`, are programs that are called at their `url`
       */
      type: string;
      external: boolean;
      subtype?: string;
      url?: string;
      language: string;
      webhook_enabled?: boolean;
      webhook_url?: string;
      attributes?: {
        [k: string]: unknown;
      };
      slug?: string;
      public: boolean;
      certified: boolean;
      mainCategory?: string;
      intentsEngine?: string;
      tags: string[];
      certifiedTags?: {
        name?: string;
        color?: string;
      }[];
      score?: number;
      trained?: boolean;
      title?: string;
      short_description?: string;
      agents_available: boolean;
      trashed: boolean;
      /**
       * ISO 8601, UTC
       */
      trashedAt?: string;
      /**
       * Whether the bot has changed since it was last published
       */
      modified?: boolean;
      /**
       * The bot that this published copy was made from
       */
      root_id?: string;
      release_note?: string;
      publishedBy?: string;
      /**
       * ISO 8601, UTC
       */
      publishedAt?: string;
      createdBy?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
      __v?: number;
    }[];
  };
  /**
   * Create a bot with the intents of a template; the reply includes the secret of the bot
   */
  'POST /v3/{project_id}/bots': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * `true`: records no activity
       */
      skip_activity?: boolean;
    };
    body: {
      name: string;
      /**
       * `internal` or `external`
       */
      type?: string;
      /**
       * `true`: an external bot
       */
      external?: boolean | null;
      /**
       * Template of an internal bot; for the subtype `chatbot`: `example` (default), `blank`, `handoff` or `empty`
       */
      template?: string | null;
      /**
       * Id of the knowledge base that the bot queries before it replies with its default intent
       */
      namespace_id?: string | null;
      /**
       * Default: derived from the name
       */
      slug?: string | null;
      description?: string | null;
      language?: string | null;
      webhook_enabled?: boolean | null;
      /**
       * URL of an external bot
       */
      url?: string | null;
      /**
       * URL of the fulfilment, which may replace replies of an internal bot
       */
      webhook_url?: string | null;
      /**
       * For example `chatbot`, `webhook`, `copilot` or `voice`
       */
      subtype?: string | null;
      mainCategory?: string | null;
      intentsEngine?: string | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      name: string;
      description?: string;
      /**
       * `internal`: built-in engine; bots of other types, except `identity`, are programs that are called at their `url`
       */
      type: string;
      external: boolean;
      subtype?: string;
      url?: string;
      language: string;
      webhook_enabled: boolean;
      webhook_url?: string;
      attributes?: {
        [k: string]: unknown;
      };
      slug?: string;
      public: boolean;
      certified: boolean;
      mainCategory?: string;
      intentsEngine: string;
      tags: string[];
      certifiedTags: {
        name?: string;
        color?: string;
      }[];
      score: number;
      trained: boolean;
      title?: string;
      short_description?: string;
      agents_available: boolean;
      trashed: boolean;
      /**
       * ISO 8601, UTC
       */
      trashedAt?: string;
      /**
       * Whether the bot has changed since it was last published
       */
      modified?: boolean;
      /**
       * The bot that this published copy was made from
       */
      root_id?: string;
      release_note?: string;
      publishedBy?: string;
      /**
       * ISO 8601, UTC
       */
      publishedAt?: string;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      /**
       * Secret that signs the tokens of the bot
       */
      secret: string;
    };
  };
  /**
   * Get a bot
   */
  'GET /v3/{project_id}/bots/{bot_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    query?: {
      /**
       * Id of a department to include
       */
      departmentid?: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      name: string;
      description?: string;
      /**
       * `internal`: built-in engine; bots of other types, except `identity`, are programs that are called at their `url`
       */
      type: string;
      external: boolean;
      subtype?: string;
      url?: string;
      language: string;
      webhook_enabled: boolean;
      webhook_url?: string;
      attributes?: {
        [k: string]: unknown;
      };
      slug?: string;
      public: boolean;
      certified: boolean;
      mainCategory?: string;
      intentsEngine: string;
      tags: string[];
      certifiedTags: {
        name?: string;
        color?: string;
      }[];
      score: number;
      trained: boolean;
      title?: string;
      short_description?: string;
      agents_available: boolean;
      trashed: boolean;
      /**
       * ISO 8601, UTC
       */
      trashedAt?: string;
      /**
       * Whether the bot has changed since it was last published
       */
      modified?: boolean;
      /**
       * The bot that this published copy was made from
       */
      root_id?: string;
      release_note?: string;
      publishedBy?: string;
      /**
       * ISO 8601, UTC
       */
      publishedAt?: string;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      department?: Department;
    };
  };
  /**
   * Delete a bot and revoke its tokens
   */
  'DELETE /v3/{project_id}/bots/{bot_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    reply: Bot;
  };
  /**
   * Update a bot, move it to the trash or restore it
   */
  'PUT /v3/{project_id}/bots/{bot_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    body: {
      name?: string | null;
      type?: string | null;
      slug?: string | null;
      description?: string | null;
      language?: string | null;
      webhook_enabled?: boolean | null;
      /**
       * URL of an external bot
       */
      url?: string | null;
      /**
       * URL of the fulfilment, which may replace replies of an internal bot
       */
      webhook_url?: string | null;
      /**
       * For example `chatbot`, `webhook`, `copilot` or `voice`
       */
      subtype?: string | null;
      mainCategory?: string | null;
      intentsEngine?: string | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      /**
       * `true` moves the bot to the trash, `false` restores it
       */
      trashed?: boolean | null;
      /**
       * Whether every project may copy the bot
       */
      public?: boolean | null;
      certified?: boolean | null;
      tags?: string[] | null;
      certifiedTags?:
        | {
            name?: string | null;
            color?: string | null;
          }[]
        | null;
      trained?: boolean | null;
      title?: string | null;
      short_description?: string | null;
      /**
       * Whether agents see the bot
       */
      agents_available?: boolean | null;
    };
    reply: Bot;
  };
  /**
   * Get the secret of a bot
   */
  'GET /v3/{project_id}/bots/{bot_id}/secret': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    reply: {
      /**
       * Secret that signs the tokens of the bot
       */
      secret: string;
    };
  };
  /**
   * Replace the secret of a bot; tokens signed with the previous secret are revoked
   */
  'PUT /v3/{project_id}/bots/{bot_id}/secret': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    reply: {
      /**
       * Secret that signs the tokens of the bot
       */
      secret: string;
    };
  };
  /**
   * Create a token for a bot, without the `JWT ` prefix
   */
  'GET /v3/{project_id}/bots/{bot_id}/jwt': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    reply: {
      jwt: string;
    };
  };
  /**
   * Merge keys into the attributes of a bot
   */
  'PATCH /v3/{project_id}/bots/{bot_id}/attributes': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    body: {
      [k: string]: _Schema0;
    };
    reply: Bot;
  };
  /**
   * Set the language of a bot and of all its intents
   */
  'PUT /v3/{project_id}/bots/{bot_id}/language/{language}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
      /**
       * Language code such as `en`
       */
      language: string;
    };
    reply: Bot;
  };
  /**
   * Publish a bot, so that a copy of its current state answers visitors, or restore it from a published copy
   */
  'PUT /v3/{project_id}/bots/{bot_id}/publish': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    body: {
      release_note?: string | null;
      /**
       * Id of a published copy
       */
      restore_from?: string | null;
    };
    reply: {
      message: string;
      bot_id: string;
    };
  };
  /**
   * List the published copies of a bot, newest first
   */
  'GET /v3/{project_id}/bots/{bot_id}/published': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      name: string;
      description?: string;
      /**
       * `internal`: built-in engine; bots of other types, except `identity`, are programs that are called at their `url`
       */
      type: string;
      external: boolean;
      subtype?: string;
      url?: string;
      language: string;
      webhook_enabled: boolean;
      webhook_url?: string;
      attributes?: {
        [k: string]: unknown;
      };
      slug?: string;
      public: boolean;
      certified: boolean;
      mainCategory?: string;
      intentsEngine: string;
      tags: string[];
      certifiedTags: {
        name?: string;
        color?: string;
      }[];
      score: number;
      trained: boolean;
      title?: string;
      short_description?: string;
      agents_available: boolean;
      trashed: boolean;
      /**
       * ISO 8601, UTC
       */
      trashedAt?: string;
      /**
       * Whether the bot has changed since it was last published
       */
      modified?: boolean;
      /**
       * The bot that this published copy was made from
       */
      root_id?: string;
      release_note?: string;
      publishedBy?: {
        _id: unknown;
        firstname?: string;
        lastname?: string;
        email?: string;
      };
      /**
       * ISO 8601, UTC
       */
      publishedAt?: string;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
    }[];
  };
  /**
   * Find the intents of an internal bot that match a question, best match first
   */
  'POST /v3/{project_id}/bots/askbot': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Id of the bot
       */
      id_faq_kb: string;
      question: string;
    };
    reply: {
      hits: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        id_project: string;
        /**
         * Id of the bot
         */
        id_faq_kb: string;
        intent_id: string;
        intent_display_name: string;
        /**
         * Training phrases, one per line
         */
        question?: string;
        answer?: string;
        reply?: {
          [k: string]: unknown;
        };
        form?: {
          [k: string]: unknown;
        };
        actions?: {
          [k: string]: unknown;
        }[];
        attributes?: {
          [k: string]: unknown;
        };
        enabled: boolean;
        webhook_enabled: boolean;
        topic: string;
        status: string;
        language: string;
        agents_available: boolean;
        trashed: boolean;
        /**
         * ISO 8601, UTC
         */
        trashedAt?: string;
        createdBy: string;
        /**
         * ISO 8601, UTC
         */
        createdAt: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt: string;
        __v: number;
        score: number;
      }[];
    };
  };
  /**
   * Export a bot with its intents as JSON
   */
  'GET /v3/{project_id}/bots/exportjson/{bot_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    query?: {
      /**
       * `true`: exports only the intents
       */
      intentsOnly?: boolean;
      /**
       * Any value: keep `attributes.globals`, which may contain secrets
       */
      globals?: string;
    };
    reply: {
      [k: string]: unknown;
    };
  };
  /**
   * Import an exported bot into a new or an existing bot, completely or not at all
   */
  'POST /v3/{project_id}/bots/importjson/{bot_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    query?: {
      /**
       * `true`: creates a bot; the id in the path is ignored
       */
      create?: boolean;
      /**
       * `true`: deletes the intents of the bot first
       */
      replace?: boolean;
      /**
       * `true`: replaces intents that have the same name
       */
      overwrite?: boolean;
      /**
       * `true`: imports only the intents
       */
      intentsOnly?: boolean;
      /**
       * `true`: returns what would change, and changes nothing
       */
      dry_run?: boolean;
    };
    body: string;
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id?: string;
      id_project?: string;
      name?: string;
      description?: string;
      /**
       * `internal`: built-in engine; bots of other types, except `identity`, are programs that are called at their `url`
       */
      type?: string;
      external?: boolean;
      subtype?: string;
      url?: string;
      language?: string;
      webhook_enabled?: boolean;
      webhook_url?: string;
      attributes?: {
        [k: string]: unknown;
      };
      slug?: string;
      public?: boolean;
      certified?: boolean;
      mainCategory?: string;
      intentsEngine?: string;
      tags?: string[];
      certifiedTags?: {
        name?: string;
        color?: string;
      }[];
      score?: number;
      trained?: boolean;
      title?: string;
      short_description?: string;
      agents_available?: boolean;
      trashed?: boolean;
      /**
       * ISO 8601, UTC
       */
      trashedAt?: string;
      /**
       * Whether the bot has changed since it was last published
       */
      modified?: boolean;
      /**
       * The bot that this published copy was made from
       */
      root_id?: string;
      release_note?: string;
      publishedBy?: string;
      /**
       * ISO 8601, UTC
       */
      publishedAt?: string;
      createdBy?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
      __v?: number;
      dry_run?: true;
      changes?: {
        /**
         * The fields of the bot that would be set
         */
        bot: {
          [k: string]: unknown;
        };
        intents: {
          [k: string]: string[];
        };
      };
    };
  };
  /**
   * Copy a bot of the project, or a public bot of any project, to a project in which you are an admin
   */
  'POST /v3/{project_id}/bots/fork/{bot_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the bot; 24 hexadecimal digits
       */
      bot_id: string;
    };
    query?: {
      /**
       * Id of the project that receives the copy. Default: the project in the path
       */
      projectid?: string;
      /**
       * Ignored: public bots and bots of the project can both be copied
       */
      public?: boolean;
      /**
       * Any value: keep `attributes.globals`, which may contain secrets
       */
      globals?: string;
      /**
       * `true`: records no activity
       */
      for_publish?: boolean;
    };
    body: {};
    reply: {
      message: string;
      bot_id: string;
    };
  };
  /**
   * List intents, newest first. Agents see fewer fields, no intents whose `agents_available` is false, and the intents `start` and `defaultFallback` only if `intent_display_name` names them
   */
  'GET /v3/{project_id}/faq': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      id_faq_kb?: string;
      /**
       * Words to find in the training phrases
       */
      text?: string;
      /**
       * Complete name of the intent
       */
      intent_display_name?: string;
      /**
       * Intents per page; 0: the maximum
       */
      limit?: number;
      /**
       * Page number, starting at 0
       */
      page?: number;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      /**
       * Id of the bot
       */
      id_faq_kb: string;
      intent_id: string;
      intent_display_name: string;
      /**
       * Training phrases, one per line
       */
      question?: string;
      answer?: string;
      reply?: {
        [k: string]: unknown;
      };
      form?: {
        [k: string]: unknown;
      };
      actions?: {
        [k: string]: unknown;
      }[];
      attributes?: {
        [k: string]: unknown;
      };
      enabled: boolean;
      webhook_enabled?: boolean;
      topic: string;
      status: string;
      language: string;
      agents_available: boolean;
      trashed: boolean;
      /**
       * ISO 8601, UTC
       */
      trashedAt?: string;
      createdBy?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
      __v?: number;
      faq_kb?: Bot[];
    }[];
  };
  /**
   * Add an intent to a bot
   */
  'POST /v3/{project_id}/faq': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Id of the bot
       */
      id_faq_kb: string;
      /**
       * Default: generated
       */
      _id?: string | null;
      /**
       * Unique within the bot. Default: a UUID
       */
      intent_id?: string | null;
      /**
       * Training phrases, one per line
       */
      question?: string | null;
      /**
       * The reply; docs/bots.md describes its markup
       */
      answer?: string | null;
      /**
       * Unique within the bot. Default: random
       */
      intent_display_name?: string | null;
      /**
       * Whether the fulfilment of the bot may replace the reply
       */
      webhook_enabled?: boolean | null;
      topic?: string | null;
      enabled?: boolean | null;
      reply?: {
        [k: string]: _Schema0;
      } | null;
      form?: {
        [k: string]: _Schema0;
      } | null;
      actions?:
        | {
            [k: string]: _Schema0;
          }[]
        | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: Intent;
  };
  /**
   * Apply several changes to the intents of a bot, in order and atomically
   */
  'POST /v3/{project_id}/faq/ops_update': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Id of the bot
       */
      id_faq_kb: string;
      /**
       * @maxItems 1000
       */
      operations: {
        type: 'post' | 'put' | 'patch' | 'delete';
        intent: {
          /**
           * Training phrases, one per line
           */
          question?: string | null;
          /**
           * The reply; docs/bots.md describes its markup
           */
          answer?: string | null;
          /**
           * Unique within the bot. Default: random
           */
          intent_display_name?: string | null;
          /**
           * Whether the fulfilment of the bot may replace the reply
           */
          webhook_enabled?: boolean | null;
          topic?: string | null;
          enabled?: boolean | null;
          reply?: {
            [k: string]: _Schema0;
          } | null;
          form?: {
            [k: string]: _Schema0;
          } | null;
          actions?:
            | {
                [k: string]: _Schema0;
              }[]
            | null;
          attributes?: {
            [k: string]: _Schema0;
          } | null;
          status?: string | null;
          language?: string | null;
          agents_available?: boolean | null;
          _id?: string | null;
          /**
           * Unique within the bot. Default: a UUID
           */
          intent_id?: string | null;
        };
      }[];
    };
    reply: {
      success: true;
    };
  };
  /**
   * Add intents from CSV without a header row, with the columns question, answer, intent_id, intent_display_name, webhook_enabled. Invalid rows, and rows with an existing name or id, are skipped
   */
  'POST /v3/{project_id}/faq/uploadcsv': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query: {
      /**
       * Id of the bot
       */
      id_faq_kb: string;
      /**
       * Column separator
       */
      delimiter?: string;
    };
    body: Uint8Array | string;
    reply: {
      success: boolean;
      msg: string;
    };
  };
  /**
   * Export the intents of a bot as CSV
   */
  'GET /v3/{project_id}/faq/csv': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query: {
      /**
       * Id of the bot
       */
      id_faq_kb: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Get an intent
   */
  'GET /v3/{project_id}/faq/{faq_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the intent; 24 hexadecimal digits
       */
      faq_id: string;
    };
    reply: Intent;
  };
  /**
   * Update an intent, identified by its `_id` or by `intentId<intent_id>`
   */
  'PUT /v3/{project_id}/faq/{faq_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the intent; 24 hexadecimal digits
       */
      faq_id: string;
    };
    body: {
      /**
       * Training phrases, one per line
       */
      question?: string | null;
      /**
       * The reply; docs/bots.md describes its markup
       */
      answer?: string | null;
      /**
       * Unique within the bot. Default: random
       */
      intent_display_name?: string | null;
      /**
       * Whether the fulfilment of the bot may replace the reply
       */
      webhook_enabled?: boolean | null;
      topic?: string | null;
      enabled?: boolean | null;
      reply?: {
        [k: string]: _Schema0;
      } | null;
      form?: {
        [k: string]: _Schema0;
      } | null;
      actions?:
        | {
            [k: string]: _Schema0;
          }[]
        | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      status?: string | null;
      language?: string | null;
      agents_available?: boolean | null;
      /**
       * Id of the bot
       */
      id_faq_kb: string;
    };
    reply: Intent;
  };
  /**
   * Delete an intent, identified by its `_id` or by `intentId<intent_id>`
   */
  'DELETE /v3/{project_id}/faq/{faq_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the intent; 24 hexadecimal digits
       */
      faq_id: string;
    };
    query?: {
      id_faq_kb?: string;
    };
    reply: Intent;
  };
  /**
   * Merge keys into the attributes of an intent
   */
  'PATCH /v3/{project_id}/faq/{faq_id}/attributes': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the intent; 24 hexadecimal digits
       */
      faq_id: string;
    };
    body: {
      [k: string]: _Schema0;
    };
    reply: Intent;
  };
  /**
   * List the attempts to deliver events to subscriptions, newest first
   */
  'GET /v3/{project_id}/subscriptions/history': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Only attempts to deliver to this subscription
       */
      subscription?: string;
      delivery?: string;
    };
    reply: WebhookAttempt[];
  };
  /**
   * Send a test event to a subscription. The result is in the list of the attempts to deliver events
   */
  'POST /v3/{project_id}/subscriptions/test': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Id of the subscription
       */
      subscription: string;
    };
    reply: {
      success: true;
      delivery: string;
    };
  };
  /**
   * Schedule the delivery of retained events to a subscription, in order and with the same ids: one event, the events of a time range, or all
   */
  'POST /v3/{project_id}/subscriptions/{subscription_id}/replay': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    body: {
      /**
       * The `webhook-id` of a delivery
       */
      delivery?: string;
      /**
       * Only events since this time
       */
      after?: string;
      /**
       * Only events before this time
       */
      before?: string;
      /**
       * `true`: only deliveries that have failed permanently
       */
      failed?: boolean;
    };
    reply: {
      /**
       * Number of events whose delivery was scheduled
       */
      count: number;
    };
  };
  /**
   * List the subscriptions without their secrets
   */
  'GET /v3/{project_id}/subscriptions': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: Subscription[];
  };
  /**
   * Create a subscription of a URL to an event, and get the secret that signs the deliveries. Repeating the call returns the same subscription
   */
  'POST /v3/{project_id}/subscriptions': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Name of the event, for example `message.create`
       */
      event: string;
      /**
       * URL to which events are posted
       */
      target: string;
      global?: boolean;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      event: string;
      target: string;
      enabled: boolean;
      disabled_reason?: string;
      /**
       * ISO 8601, UTC
       */
      disabled_at?: string;
      /**
       * Until this time, deliveries are also signed with the previous secret
       */
      previous_secret_expires_at?: string;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      secret: string;
    };
  };
  /**
   * Get a subscription without its secret
   */
  'GET /v3/{project_id}/subscriptions/{subscription_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    reply: Subscription;
  };
  /**
   * Change the event or the target of a subscription, disable it, or enable it again
   */
  'PUT /v3/{project_id}/subscriptions/{subscription_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    body: {
      /**
       * Name of the event, for example `message.create`
       */
      event?: string;
      /**
       * URL to which events are posted
       */
      target?: string;
      /**
       * `true` enables a disabled subscription
       */
      enabled?: boolean;
      global?: boolean;
    };
    reply: Subscription;
  };
  /**
   * Delete a subscription; its tokens become invalid
   */
  'DELETE /v3/{project_id}/subscriptions/{subscription_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    reply: Subscription;
  };
  /**
   * Replace the secret of a subscription; tokens signed with the previous secret are revoked, and deliveries are signed with both secrets for some time
   */
  'PUT /v3/{project_id}/subscriptions/{subscription_id}/secret': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    body: {
      /**
       * Default: `WEBHOOK_SECRET_OVERLAP_SECONDS`; 0: deliveries are signed with the new secret only
       */
      overlap_seconds?: number;
    };
    reply: {
      secret: string;
      /**
       * ISO 8601, UTC
       */
      previous_secret_expires_at: string;
    };
  };
  /**
   * List the attempts to deliver events to global subscriptions, newest first
   */
  'GET /v3/subscriptions/history': {
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Only attempts to deliver to this subscription
       */
      subscription?: string;
      delivery?: string;
    };
    reply: WebhookAttempt[];
  };
  /**
   * Send a test event to a global subscription. The result is in the list of the attempts to deliver events
   */
  'POST /v3/subscriptions/test': {
    body: {
      /**
       * Id of the subscription
       */
      subscription: string;
    };
    reply: {
      success: true;
      delivery: string;
    };
  };
  /**
   * Schedule the delivery of retained events to a global subscription, in order and with the same ids: one event, the events of a time range, or all
   */
  'POST /v3/subscriptions/{subscription_id}/replay': {
    path: {
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    body: {
      /**
       * The `webhook-id` of a delivery
       */
      delivery?: string;
      /**
       * Only events since this time
       */
      after?: string;
      /**
       * Only events before this time
       */
      before?: string;
      /**
       * `true`: only deliveries that have failed permanently
       */
      failed?: boolean;
    };
    reply: {
      /**
       * Number of events whose delivery was scheduled
       */
      count: number;
    };
  };
  /**
   * List the global subscriptions without their secrets
   */
  'GET /v3/subscriptions': {
    reply: Subscription[];
  };
  /**
   * Create a global subscription of a URL to an event, and get the secret that signs the deliveries. Repeating the call returns the same subscription
   */
  'POST /v3/subscriptions': {
    body: {
      /**
       * Name of the event, for example `message.create`
       */
      event: string;
      /**
       * URL to which events are posted
       */
      target: string;
      global: boolean;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      event: string;
      target: string;
      enabled: boolean;
      disabled_reason?: string;
      /**
       * ISO 8601, UTC
       */
      disabled_at?: string;
      /**
       * Until this time, deliveries are also signed with the previous secret
       */
      previous_secret_expires_at?: string;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      secret: string;
    };
  };
  /**
   * Get a global subscription without its secret
   */
  'GET /v3/subscriptions/{subscription_id}': {
    path: {
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    reply: Subscription;
  };
  /**
   * Change the event or the target of a global subscription, disable it, or enable it again
   */
  'PUT /v3/subscriptions/{subscription_id}': {
    path: {
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    body: {
      /**
       * Name of the event, for example `message.create`
       */
      event?: string;
      /**
       * URL to which events are posted
       */
      target?: string;
      /**
       * `true` enables a disabled subscription
       */
      enabled?: boolean;
      global?: boolean;
    };
    reply: Subscription;
  };
  /**
   * Delete a global subscription; its tokens become invalid
   */
  'DELETE /v3/subscriptions/{subscription_id}': {
    path: {
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    reply: Subscription;
  };
  /**
   * Replace the secret of a global subscription; tokens signed with the previous secret are revoked, and deliveries are signed with both secrets for some time
   */
  'PUT /v3/subscriptions/{subscription_id}/secret': {
    path: {
      /**
       * Id of the subscription; 24 hexadecimal digits
       */
      subscription_id: string;
    };
    body: {
      /**
       * Default: `WEBHOOK_SECRET_OVERLAP_SECONDS`; 0: deliveries are signed with the new secret only
       */
      overlap_seconds?: number;
    };
    reply: {
      secret: string;
      /**
       * ISO 8601, UTC
       */
      previous_secret_expires_at: string;
    };
  };
  /**
   * List the triggers of a project
   */
  'GET /v3/{project_id}/modules/triggers': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: Trigger[];
  };
  /**
   * Create an enabled trigger: actions that follow an event if conditions hold
   */
  'POST /v3/{project_id}/modules/triggers': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      description?: string | null;
      conditions?: {
        all?:
          | {
              key: string;
              fact: 'json';
              /**
               * Path of the compared value in the payload of the event, for example `channel.name`
               */
              path?: string | null;
              operator:
                | 'equal'
                | 'notEqual'
                | 'in'
                | 'notIn'
                | 'contains'
                | 'doesNotContain'
                | 'lessThan'
                | 'lessThanInclusive'
                | 'greaterThan'
                | 'greaterThanInclusive'
                | 'hasOwnProperty'
                | 'notHasOwnProperty';
              value: string | number | boolean | null;
            }[]
          | null;
        /**
         * If this list is not empty, `all` is ignored
         */
        any?:
          | {
              key: string;
              fact: 'json';
              /**
               * Path of the compared value in the payload of the event, for example `channel.name`
               */
              path?: string | null;
              operator:
                | 'equal'
                | 'notEqual'
                | 'in'
                | 'notIn'
                | 'contains'
                | 'doesNotContain'
                | 'lessThan'
                | 'lessThanInclusive'
                | 'greaterThan'
                | 'greaterThanInclusive'
                | 'hasOwnProperty'
                | 'notHasOwnProperty';
              value: string | number | boolean | null;
            }[]
          | null;
      } | null;
      name: string;
      trigger: {
        key:
          | 'request.create'
          | 'request.participants.join'
          | 'message.create.from.requester'
          | 'message.received'
          | 'event.emit';
        name: string;
        description?: string | null;
      };
      actions?:
        | {
            key:
              | 'message.send'
              | 'email.send'
              | 'bot.calling'
              | 'request.create'
              | 'request.department.route'
              | 'request.department.route.self'
              | 'request.department.bot.launch'
              | 'request.bot.launch'
              | 'request.participants.join'
              | 'request.participants.leave'
              | 'request.status.update'
              | 'request.close'
              | 'request.reopen'
              | 'request.tags.add';
            parameters?: {
              [k: string]: _Schema0;
            } | null;
          }[]
        | null;
    };
    reply: Trigger;
  };
  /**
   * Get a trigger
   */
  'GET /v3/{project_id}/modules/triggers/{trigger_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the trigger; 24 hexadecimal digits
       */
      trigger_id: string;
    };
    reply: Trigger;
  };
  /**
   * Change, enable or disable a trigger; absent and null fields are unchanged
   */
  'PUT /v3/{project_id}/modules/triggers/{trigger_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the trigger; 24 hexadecimal digits
       */
      trigger_id: string;
    };
    body: {
      description?: string | null;
      conditions?: {
        all?:
          | {
              key: string;
              fact: 'json';
              /**
               * Path of the compared value in the payload of the event, for example `channel.name`
               */
              path?: string | null;
              operator:
                | 'equal'
                | 'notEqual'
                | 'in'
                | 'notIn'
                | 'contains'
                | 'doesNotContain'
                | 'lessThan'
                | 'lessThanInclusive'
                | 'greaterThan'
                | 'greaterThanInclusive'
                | 'hasOwnProperty'
                | 'notHasOwnProperty';
              value: string | number | boolean | null;
            }[]
          | null;
        /**
         * If this list is not empty, `all` is ignored
         */
        any?:
          | {
              key: string;
              fact: 'json';
              /**
               * Path of the compared value in the payload of the event, for example `channel.name`
               */
              path?: string | null;
              operator:
                | 'equal'
                | 'notEqual'
                | 'in'
                | 'notIn'
                | 'contains'
                | 'doesNotContain'
                | 'lessThan'
                | 'lessThanInclusive'
                | 'greaterThan'
                | 'greaterThanInclusive'
                | 'hasOwnProperty'
                | 'notHasOwnProperty';
              value: string | number | boolean | null;
            }[]
          | null;
      } | null;
      name?: string | null;
      trigger?: {
        key:
          | 'request.create'
          | 'request.participants.join'
          | 'message.create.from.requester'
          | 'message.received'
          | 'event.emit';
        name: string;
        description?: string | null;
      } | null;
      actions?:
        | {
            key:
              | 'message.send'
              | 'email.send'
              | 'bot.calling'
              | 'request.create'
              | 'request.department.route'
              | 'request.department.route.self'
              | 'request.department.bot.launch'
              | 'request.bot.launch'
              | 'request.participants.join'
              | 'request.participants.leave'
              | 'request.status.update'
              | 'request.close'
              | 'request.reopen'
              | 'request.tags.add';
            parameters?: {
              [k: string]: _Schema0;
            } | null;
          }[]
        | null;
      enabled?: boolean | null;
    };
    reply: Trigger;
  };
  /**
   * Delete a trigger and stop its unfinished runs
   */
  'DELETE /v3/{project_id}/modules/triggers/{trigger_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the trigger; 24 hexadecimal digits
       */
      trigger_id: string;
    };
    reply: Trigger;
  };
  /**
   * Restore a built-in trigger, or add it if the project does not have it
   */
  'PUT /v3/{project_id}/modules/triggers/{code}/reset': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * The code from the verification email, or the code of a built-in trigger
       */
      code: string;
    };
    reply: Trigger;
  };
  /**
   * List the knowledge bases; the default knowledge base always exists
   */
  'GET /v3/{project_id}/kb/namespace/all': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Any value: return each knowledge base with the number of its contents
       */
      count?: string;
    };
    reply: KbNamespace[];
  };
  /**
   * Create a knowledge base
   */
  'POST /v3/{project_id}/kb/namespace': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      name: string;
      hybrid?: boolean;
    };
    reply: KbNamespace;
  };
  /**
   * Rename a knowledge base or replace its preview settings
   */
  'PUT /v3/{project_id}/kb/namespace/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      name?: string | null;
      preview_settings?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: KbNamespace;
  };
  /**
   * Delete a knowledge base, or only its contents with `content_only=true`
   */
  'DELETE /v3/{project_id}/kb/namespace/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    query?: {
      /**
       * `true`: delete only the contents and keep the knowledge base
       */
      content_only?: string;
      /**
       * Alias of `content_only`
       */
      contents_only?: string;
    };
    reply: {
      success: true;
      message: string;
      deletion: KbDeletion;
    };
  };
  /**
   * Get the report on a deletion: how many contents it has deleted, and when it finished
   */
  'GET /v3/{project_id}/kb/deletions/{deletion_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the deletion of contents; 24 hexadecimal digits
       */
      deletion_id: string;
    };
    reply: KbDeletion1;
  };
  /**
   * List the bots that query a knowledge base
   */
  'GET /v3/{project_id}/kb/namespace/{id}/chatbots': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      name: string;
    }[];
  };
  /**
   * Export the texts, FAQs and pages of a knowledge base as JSON
   */
  'GET /v3/{project_id}/kb/namespace/export/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    query?: {
      /**
       * Only records with this status
       */
      status?: number;
    };
    reply: {
      [k: string]: unknown;
    };
  };
  /**
   * Replace the texts, FAQs and pages of a knowledge base with those of an exported one
   */
  'POST /v3/{project_id}/kb/namespace/import/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: string;
    reply: {
      success: true;
      message: string;
    };
  };
  /**
   * List the indexed chunks of a content
   */
  'GET /v3/{project_id}/kb/namespace/{id}/chunks/{content_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
      /**
       * Id of the content; 24 hexadecimal digits
       */
      content_id: string;
    };
    reply: ContentChunks;
  };
  /**
   * List clusters of similar unanswered questions, largest first. New questions are clustered in the background, by default within a minute
   */
  'GET /v3/{project_id}/kb/unanswered/clusters/{namespace}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Number of records per page
       */
      limit?: number;
    };
    reply: {
      count: number;
      clusters: KbQuestionCluster[];
      query: {
        page: number;
        limit: number;
      };
    };
  };
  /**
   * Add a FAQ that answers a cluster. Once the FAQ is indexed, the questions of the cluster are asked again
   */
  'POST /v3/{project_id}/kb/unanswered/clusters/{id}/faq': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      answer: string;
      /**
       * Default: the first question of the cluster
       */
      question?: string;
      /**
       * @maxItems 50
       */
      tags?: string[];
    };
    reply: {
      cluster: KbQuestionCluster;
      content: KbContent;
    };
  };
  /**
   * Change the text of an unanswered question
   */
  'PUT /v3/{project_id}/kb/unanswered/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      question: string;
    };
    reply: KbQuestion;
  };
  /**
   * Delete an unanswered question
   */
  'DELETE /v3/{project_id}/kb/unanswered/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: {
      success: true;
      message: string;
    };
  };
  /**
   * Count the unanswered questions of a knowledge base
   */
  'GET /v3/{project_id}/kb/unanswered/count/{namespace}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    reply: {
      count: number;
    };
  };
  /**
   * List the unanswered questions of a knowledge base
   */
  'GET /v3/{project_id}/kb/unanswered/{namespace}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 20, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'question';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'question';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Words to find. The questions are then sorted by relevance, and each has a `score`
       */
      search?: string;
    };
    reply: {
      count: number;
      questions: KbQuestion[];
      query: {
        page: number;
        limit: number;
        sortField: string;
        direction: number;
        search?: string;
      };
    };
  };
  /**
   * Export the unanswered questions of a knowledge base as CSV, or as JSON with `mode=json`
   */
  'GET /v3/{project_id}/kb/unanswered/{namespace}/export': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    query?: {
      /**
       * Format of the file: `csv` or `json`
       */
      mode?: 'csv' | 'json';
    };
    reply: {
      namespace: string;
      /**
       * ISO 8601, UTC
       */
      exportedAt: string;
      count: number;
      questions: KbQuestion[];
    };
  };
  /**
   * Record a question that the knowledge base could not answer
   */
  'POST /v3/{project_id}/kb/unanswered': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
      question: string;
      request_id?: string;
      sender?: string;
    };
    reply: KbQuestion;
  };
  /**
   * Delete all unanswered questions of a knowledge base
   */
  'DELETE /v3/{project_id}/kb/unanswered/namespace/{namespace}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    reply: {
      success: true;
      count: number;
      message: string;
    };
  };
  /**
   * Count the answered questions of a knowledge base
   */
  'GET /v3/{project_id}/kb/answered/count/{namespace}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    reply: {
      count: number;
    };
  };
  /**
   * List the answered questions of a knowledge base
   */
  'GET /v3/{project_id}/kb/answered/{namespace}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 20, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'question';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'question';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Words to find. The questions are then sorted by relevance, and each has a `score`
       */
      search?: string;
    };
    reply: {
      count: number;
      questions: KbAnsweredQuestion[];
      query: {
        page: number;
        limit: number;
        sortField: string;
        direction: number;
        search?: string;
      };
    };
  };
  /**
   * Export the answered questions of a knowledge base as CSV, or as JSON with `mode=json`
   */
  'GET /v3/{project_id}/kb/answered/{namespace}/export': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    query?: {
      /**
       * Format of the file: `csv` or `json`
       */
      mode?: 'csv' | 'json';
    };
    reply: {
      namespace: string;
      /**
       * ISO 8601, UTC
       */
      exportedAt: string;
      count: number;
      questions: KbAnsweredQuestion[];
    };
  };
  /**
   * Record a question that the knowledge base has answered
   */
  'POST /v3/{project_id}/kb/answered': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
      question: string;
      request_id?: string;
      answer: string;
      tokens?: number;
    };
    reply: KbAnsweredQuestion;
  };
  /**
   * Delete an answered question
   */
  'DELETE /v3/{project_id}/kb/answered/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: {
      success: true;
      message: string;
    };
  };
  /**
   * Delete all answered questions of a knowledge base
   */
  'DELETE /v3/{project_id}/kb/answered/namespace/{namespace}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    reply: {
      success: true;
      count: number;
      message: string;
    };
  };
  /**
   * Answer a question from the contents of a knowledge base. The reply includes the sources of the answer
   */
  'POST /v3/{project_id}/kb/qa': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      question: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
      top_k?: number;
      /**
       * Weight of the semantic search; 0: full-text search only, 1: semantic search only
       */
      alpha?: number;
      search_type?: 'similarity' | 'mmr' | 'hybrid';
      tags?: string[] | string | null;
      /**
       * Must match the vector database of this installation; a call cannot select another
       */
      engine?: {
        [k: string]: _Schema0;
      } | null;
      /**
       * Must match the embedding model of this installation; a call cannot select another
       */
      embedding?: {
        [k: string]: _Schema0;
      } | null;
      /**
       * Compare the best chunks with the question again, and reorder them
       */
      reranking?: boolean;
      /**
       * Number of chunks to rerank, as a multiple of `top_k`; at most 100 chunks are reranked
       */
      reranking_multiplier?: number;
      /**
       * Minimum cosine similarity between a chunk and the question; 1: no minimum
       */
      similarity_threshold?: number | null;
      sparse_encoder?: false | 'false' | '' | null;
      llm?:
        | 'openai'
        | 'anthropic'
        | 'google'
        | 'groq'
        | 'cohere'
        | 'deepseek'
        | 'mistralai'
        | 'openrouter'
        | 'ollama'
        | 'vllm';
      model?: string | null;
      max_tokens?: number;
      temperature?: number;
      top_p?: number;
      system_context?: string | null;
      advancedPrompt?: boolean;
      chat_history_dict?: {
        [k: string]: {
          question: string;
          answer: string;
        };
      } | null;
      include_history_in_prompt?: boolean;
      max_history_messages?: number;
      /**
       * Use the chat history to complete a follow-up question before the search
       */
      contextualize_prompt?: boolean;
      /**
       * Also search with a possible answer that the chat model writes
       */
      use_hyde?: boolean;
      /**
       * Id of the conversation in which the question was asked, for the log
       */
      request_id?: string;
      /**
       * Replace the older turns of a long chat history with a summary by the chat model
       */
      conversation_summary?: boolean;
      /**
       * Return the answer to an earlier call if the chat model would receive the same prompt
       */
      use_cache?: boolean;
      /**
       * Whether the chat model reasons before it answers; passed on to the provider
       */
      thinking?:
        | {
            type: 'enabled' | 'disabled' | 'adaptive';
            budget_tokens?: number;
          }
        | boolean
        | ('' | null);
      vllmServer?: false | 'false' | '' | null;
      gptkey?: false | 'false' | '' | null;
      chunks_only?: boolean;
      stream?: boolean;
      citations?: boolean;
    };
    reply:
      | {
          success: boolean;
          namespace: string;
          error_message: string | null;
          /**
           * Seconds that the call took; for a stream, until the first piece of the answer
           */
          duration: number;
          /**
           * `full text` if no embedding model is configured
           */
          search_mode: 'hybrid' | 'full text';
          answer: string;
          /**
           * The chat model. `faq`: the answer comes from a FAQ with the same question; `extractive`: it quotes the contents, because no chat model is configured
           */
          model: string;
          id: string | null;
          ids: string[];
          source: string;
          sources: string[];
          content_chunks: string[] | null;
          /**
           * Tokens of the prompt, multiplied by the factor that the setting `AI_MODELS` has for the model; default: 1
           */
          prompt_token_size: number;
          /**
           * Tokens of the prompt; only with a chat model
           */
          legacy_prompt_token_size?: number;
          chat_history_dict: {
            [k: string]: {
              question: string;
              answer: string;
            };
          };
          citations:
            | {
                source_id: number;
                source_name: string;
                source: string;
              }[]
            | null;
          /**
           * Quotations in a generated answer
           *
           * Items: Positions are in UTF-16 code units, in `answer` and in the text of the chunk
           */
          quotations: {
            text: string;
            answer_start: number;
            answer_end: number;
            /**
             * False if no chunk of the prompt contains the quotation: the model has invented it
             */
            verified: boolean;
            /**
             * Number of the chunk that contains the quotation
             */
            source_id: number | null;
            chunk_id: string | null;
            chunk_start: number | null;
            chunk_end: number | null;
          }[];
          /**
           * Chunk numbers that a generated answer cites, but that no chunk of the prompt has
           */
          unknown_citations: number[];
          /**
           * Present if the answer comes from the cache, which requires an identical prompt
           */
          cache_level?: 'exact';
          /**
           * Present with `cache_level`; 1: the prompts are identical
           */
          cache_similarity?: 1;
        }
      | {
          success: boolean;
          namespace: string;
          error_message: string | null;
          /**
           * Seconds that the call took; for a stream, until the first piece of the answer
           */
          duration: number;
          /**
           * `full text` if no embedding model is configured
           */
          search_mode: 'hybrid' | 'full text';
          chunks: string[];
          metadata: {
            [k: string]: unknown;
          }[];
          chunk_ids: string[];
        };
  };
  /**
   * Add up to 10,000 pages to a knowledge base. A form may contain them as a file with one URL per line
   */
  'POST /v3/{project_id}/kb/multi': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query: {
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    body: {
      tags?: string[] | null;
      /**
       * 0 and 1: read without a browser; 2 to 5: rendered in a browser, if one is configured. 2, 4 and 5 apply `scrape_options`; 3 reads the whole page
       */
      scrape_type?: 0 | 1 | 2 | 3 | 4 | 5;
      scrape_options?: {
        /**
         * Names of elements, or other CSS selectors
         *
         * @maxItems 50
         */
        tags_to_extract?: string[];
        /**
         * @maxItems 50
         */
        unwanted_tags?: string[];
        /**
         * @maxItems 50
         */
        unwanted_classnames?: string[];
        /**
         * @maxItems 50
         */
        desired_classnames?: string[];
        /**
         * Has no effect
         */
        remove_lines?: boolean;
        /**
         * Has no effect
         */
        remove_comments?: boolean;
        /**
         * Seconds that a browser waits after the page has loaded
         */
        time_sleep?: number;
      } | null;
      /**
       * How often the source is fetched again
       */
      refresh_rate?: 'never' | 'daily' | 'weekly' | 'monthly';
      /**
       * Index each chunk together with a sentence that the chat model writes about it
       */
      situated_context?: boolean | null;
      /**
       * @maxItems 10000
       */
      list: string[];
    };
    reply: KbContent[];
  };
  /**
   * Add a FAQ for each row of a CSV file: the question in the first column, the answer in the second
   */
  'POST /v3/{project_id}/kb/csv': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query: {
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
      /**
       * The character that separates question and answer; `;` by default
       */
      delimiter?: string;
      /**
       * JSON array of tags
       */
      tags?: string;
      /**
       * Index each chunk together with a sentence that the chat model writes about it
       */
      situated_context?: boolean | null;
    };
    body: Uint8Array | string;
    reply: KbContent[];
  };
  /**
   * List the pages of a sitemap and of the sitemaps to which it refers. No contents are added
   */
  'POST /v3/{project_id}/kb/sitemap': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      sitemap?: string;
    };
    reply: {
      url: string;
      sites: string[];
      errors: {
        type: string;
        message: string;
        url: string;
        retries: number;
      }[];
    };
  };
  /**
   * Add the pages of a sitemap, and the sitemap itself, which is read again at its `refresh_rate`
   */
  'POST /v3/{project_id}/kb/sitemap/import': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query: {
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    body: {
      type: 'sitemap';
      source: string;
      name?: string;
      tags?: string[] | null;
      /**
       * 0 and 1: read without a browser; 2 to 5: rendered in a browser, if one is configured. 2, 4 and 5 apply `scrape_options`; 3 reads the whole page
       */
      scrape_type?: 0 | 1 | 2 | 3 | 4 | 5;
      scrape_options?: {
        /**
         * Names of elements, or other CSS selectors
         *
         * @maxItems 50
         */
        tags_to_extract?: string[];
        /**
         * @maxItems 50
         */
        unwanted_tags?: string[];
        /**
         * @maxItems 50
         */
        unwanted_classnames?: string[];
        /**
         * @maxItems 50
         */
        desired_classnames?: string[];
        /**
         * Has no effect
         */
        remove_lines?: boolean;
        /**
         * Has no effect
         */
        remove_comments?: boolean;
        /**
         * Seconds that a browser waits after the page has loaded
         */
        time_sleep?: number;
      } | null;
      /**
       * How often the source is fetched again
       */
      refresh_rate?: 'never' | 'daily' | 'weekly' | 'monthly';
      /**
       * Index each chunk together with a sentence that the chat model writes about it
       */
      situated_context?: boolean | null;
    };
    /**
     * The added pages, then the sitemap. Pages beyond the limits for sitemaps, or in sitemaps that cannot be read, are left out
     */
    reply: KbContent[];
  };
  /**
   * Get the latest attempts to index a content: their stages, durations and bytes, and why they failed
   */
  'GET /v3/{project_id}/kb/{content_id}/timeline': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the content; 24 hexadecimal digits
       */
      content_id: string;
    };
    reply: {
      content: KbContent;
      attempts: KbAttempt[];
    };
  };
  /**
   * List the imports of a knowledge base, newest first
   */
  'GET /v3/{project_id}/kb/imports': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 50, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
    };
    reply: KbImport[];
  };
  /**
   * Get the progress of an import, and the reasons why contents have failed or are waiting
   */
  'GET /v3/{project_id}/kb/imports/{kb_import_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the import of contents; 24 hexadecimal digits
       */
      kb_import_id: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      namespace: string;
      /**
       * How the contents were added: `url_list`, `csv`, `sitemap` or `import`
       */
      type: string;
      source?: string;
      total: number;
      queued: number;
      fetching: number;
      indexing: number;
      indexed: number;
      failed: number;
      /**
       * When the last content was indexed or failed
       */
      finished_at?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      reasons: {
        /**
         * -1: the contents are waiting; 400: they have failed
         */
        status: number;
        code: string;
        count: number;
        hint?: string | null;
        /**
         * The source of one of the contents
         */
        example: string;
      }[];
    };
  };
  /**
   * Reindex a content. With the `type` `sitemap`: add new pages of the sitemap, and remove pages that it no longer lists
   */
  'POST /v3/{project_id}/kb/scrape/single': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
      type?: string;
      source?: string;
    };
    reply: {
      success: true;
      message: string;
      added_urls?: number;
      removed_url?: number;
    };
  };
  /**
   * Get the indexing status of a content
   */
  'POST /v3/{project_id}/kb/scrape/status': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * `true`: return the complete record
       */
      returnObject?: string;
    };
    body: {
      id: string;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
      type?: string;
      source?: string;
    };
    reply: IndexingStatus | KbContent;
  };
  /**
   * List the contents of a knowledge base
   */
  'GET /v3/{project_id}/kb': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 200, at most 1000
       */
      limit?: number;
      /**
       * Default `updatedAt`
       */
      sortField?: 'updatedAt' | 'createdAt' | 'name' | 'source' | 'status' | 'type';
      /**
       * Former name of `sortField`
       */
      sort?: 'updatedAt' | 'createdAt' | 'name' | 'source' | 'status' | 'type';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Id of the knowledge base; the default knowledge base has the id of the project
       */
      namespace: string;
      /**
       * Only records with this status
       */
      status?: number;
      /**
       * In a path: the type of quota, or `conversation-tag`. In a query: only records of this type
       */
      type?: string;
      /**
       * Text that the source contains; case-sensitive
       */
      search?: string;
    };
    reply: {
      count: number;
      query: {
        [k: string]: unknown;
      };
      kbs: KbContent[];
    };
  };
  /**
   * Add a content to a knowledge base, or replace the content with the same type and source. It is indexed in the background
   */
  'POST /v3/{project_id}/kb': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body:
      | {
          type: 'url' | 'sitemap';
          name?: string;
          /**
           * Id of the knowledge base; the default knowledge base has the id of the project
           */
          namespace: string;
          tags?: string[] | null;
          /**
           * 0 and 1: read without a browser; 2 to 5: rendered in a browser, if one is configured. 2, 4 and 5 apply `scrape_options`; 3 reads the whole page
           */
          scrape_type?: 0 | 1 | 2 | 3 | 4 | 5;
          scrape_options?: {
            /**
             * Names of elements, or other CSS selectors
             *
             * @maxItems 50
             */
            tags_to_extract?: string[];
            /**
             * @maxItems 50
             */
            unwanted_tags?: string[];
            /**
             * @maxItems 50
             */
            unwanted_classnames?: string[];
            /**
             * @maxItems 50
             */
            desired_classnames?: string[];
            /**
             * Has no effect
             */
            remove_lines?: boolean;
            /**
             * Has no effect
             */
            remove_comments?: boolean;
            /**
             * Seconds that a browser waits after the page has loaded
             */
            time_sleep?: number;
          } | null;
          /**
           * How often the source is fetched again
           */
          refresh_rate?: 'never' | 'daily' | 'weekly' | 'monthly';
          /**
           * Index each chunk together with a sentence that the chat model writes about it
           */
          situated_context?: boolean | null;
          source: string;
          chunk_regex?: '' | null;
          content?: '' | null;
        }
      | {
          type: 'pdf' | 'docx' | 'md' | 'txt' | 'html' | 'csv' | 'regex_custom';
          name?: string;
          /**
           * Id of the knowledge base; the default knowledge base has the id of the project
           */
          namespace: string;
          tags?: string[] | null;
          /**
           * 0 and 1: read without a browser; 2 to 5: rendered in a browser, if one is configured. 2, 4 and 5 apply `scrape_options`; 3 reads the whole page
           */
          scrape_type?: 0 | 1 | 2 | 3 | 4 | 5;
          scrape_options?: {
            /**
             * Names of elements, or other CSS selectors
             *
             * @maxItems 50
             */
            tags_to_extract?: string[];
            /**
             * @maxItems 50
             */
            unwanted_tags?: string[];
            /**
             * @maxItems 50
             */
            unwanted_classnames?: string[];
            /**
             * @maxItems 50
             */
            desired_classnames?: string[];
            /**
             * Has no effect
             */
            remove_lines?: boolean;
            /**
             * Has no effect
             */
            remove_comments?: boolean;
            /**
             * Seconds that a browser waits after the page has loaded
             */
            time_sleep?: number;
          } | null;
          /**
           * How often the source is fetched again
           */
          refresh_rate?: 'never' | 'daily' | 'weekly' | 'monthly';
          /**
           * Index each chunk together with a sentence that the chat model writes about it
           */
          situated_context?: boolean | null;
          /**
           * URL of the file, or any name if `content` contains the text of the file
           */
          source: string;
          /**
           * Regular expression that splits a file of the type `regex_custom`
           */
          chunk_regex?: string;
          content?: string | null;
        }
      | {
          type: 'text' | 'faq';
          name: string;
          /**
           * Id of the knowledge base; the default knowledge base has the id of the project
           */
          namespace: string;
          tags?: string[] | null;
          /**
           * 0 and 1: read without a browser; 2 to 5: rendered in a browser, if one is configured. 2, 4 and 5 apply `scrape_options`; 3 reads the whole page
           */
          scrape_type?: 0 | 1 | 2 | 3 | 4 | 5;
          scrape_options?: {
            /**
             * Names of elements, or other CSS selectors
             *
             * @maxItems 50
             */
            tags_to_extract?: string[];
            /**
             * @maxItems 50
             */
            unwanted_tags?: string[];
            /**
             * @maxItems 50
             */
            unwanted_classnames?: string[];
            /**
             * @maxItems 50
             */
            desired_classnames?: string[];
            /**
             * Has no effect
             */
            remove_lines?: boolean;
            /**
             * Has no effect
             */
            remove_comments?: boolean;
            /**
             * Seconds that a browser waits after the page has loaded
             */
            time_sleep?: number;
          } | null;
          /**
           * How often the source is fetched again
           */
          refresh_rate?: 'never' | 'daily' | 'weekly' | 'monthly';
          /**
           * Index each chunk together with a sentence that the chat model writes about it
           */
          situated_context?: boolean | null;
          source: string;
          chunk_regex?: '' | null;
          content: string;
        };
    reply: {
      lastErrorObject: {
        n: number;
        updatedExisting: boolean;
        /**
         * 24 hexadecimal digits
         */
        upserted?: string;
      };
      value: KbContent;
    };
  };
  /**
   * Get a content
   */
  'GET /v3/{project_id}/kb/{content_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the content; 24 hexadecimal digits
       */
      content_id: string;
    };
    reply: KbContent;
  };
  /**
   * Replace the fields of a content and index it again. A content that is moved to another namespace gets a new id
   */
  'PUT /v3/{project_id}/kb/{content_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the content; 24 hexadecimal digits
       */
      content_id: string;
    };
    body:
      | {
          type: 'url' | 'sitemap';
          name?: string;
          /**
           * Id of the knowledge base; the default knowledge base has the id of the project
           */
          namespace: string;
          tags?: string[] | null;
          /**
           * 0 and 1: read without a browser; 2 to 5: rendered in a browser, if one is configured. 2, 4 and 5 apply `scrape_options`; 3 reads the whole page
           */
          scrape_type?: 0 | 1 | 2 | 3 | 4 | 5;
          scrape_options?: {
            /**
             * Names of elements, or other CSS selectors
             *
             * @maxItems 50
             */
            tags_to_extract?: string[];
            /**
             * @maxItems 50
             */
            unwanted_tags?: string[];
            /**
             * @maxItems 50
             */
            unwanted_classnames?: string[];
            /**
             * @maxItems 50
             */
            desired_classnames?: string[];
            /**
             * Has no effect
             */
            remove_lines?: boolean;
            /**
             * Has no effect
             */
            remove_comments?: boolean;
            /**
             * Seconds that a browser waits after the page has loaded
             */
            time_sleep?: number;
          } | null;
          /**
           * How often the source is fetched again
           */
          refresh_rate?: 'never' | 'daily' | 'weekly' | 'monthly';
          /**
           * Index each chunk together with a sentence that the chat model writes about it
           */
          situated_context?: boolean | null;
          source: string;
          chunk_regex?: '' | null;
          content?: '' | null;
        }
      | {
          type: 'pdf' | 'docx' | 'md' | 'txt' | 'html' | 'csv' | 'regex_custom';
          name?: string;
          /**
           * Id of the knowledge base; the default knowledge base has the id of the project
           */
          namespace: string;
          tags?: string[] | null;
          /**
           * 0 and 1: read without a browser; 2 to 5: rendered in a browser, if one is configured. 2, 4 and 5 apply `scrape_options`; 3 reads the whole page
           */
          scrape_type?: 0 | 1 | 2 | 3 | 4 | 5;
          scrape_options?: {
            /**
             * Names of elements, or other CSS selectors
             *
             * @maxItems 50
             */
            tags_to_extract?: string[];
            /**
             * @maxItems 50
             */
            unwanted_tags?: string[];
            /**
             * @maxItems 50
             */
            unwanted_classnames?: string[];
            /**
             * @maxItems 50
             */
            desired_classnames?: string[];
            /**
             * Has no effect
             */
            remove_lines?: boolean;
            /**
             * Has no effect
             */
            remove_comments?: boolean;
            /**
             * Seconds that a browser waits after the page has loaded
             */
            time_sleep?: number;
          } | null;
          /**
           * How often the source is fetched again
           */
          refresh_rate?: 'never' | 'daily' | 'weekly' | 'monthly';
          /**
           * Index each chunk together with a sentence that the chat model writes about it
           */
          situated_context?: boolean | null;
          /**
           * URL of the file, or any name if `content` contains the text of the file
           */
          source: string;
          /**
           * Regular expression that splits a file of the type `regex_custom`
           */
          chunk_regex?: string;
          content?: string | null;
        }
      | {
          type: 'text' | 'faq';
          name: string;
          /**
           * Id of the knowledge base; the default knowledge base has the id of the project
           */
          namespace: string;
          tags?: string[] | null;
          /**
           * 0 and 1: read without a browser; 2 to 5: rendered in a browser, if one is configured. 2, 4 and 5 apply `scrape_options`; 3 reads the whole page
           */
          scrape_type?: 0 | 1 | 2 | 3 | 4 | 5;
          scrape_options?: {
            /**
             * Names of elements, or other CSS selectors
             *
             * @maxItems 50
             */
            tags_to_extract?: string[];
            /**
             * @maxItems 50
             */
            unwanted_tags?: string[];
            /**
             * @maxItems 50
             */
            unwanted_classnames?: string[];
            /**
             * @maxItems 50
             */
            desired_classnames?: string[];
            /**
             * Has no effect
             */
            remove_lines?: boolean;
            /**
             * Has no effect
             */
            remove_comments?: boolean;
            /**
             * Seconds that a browser waits after the page has loaded
             */
            time_sleep?: number;
          } | null;
          /**
           * How often the source is fetched again
           */
          refresh_rate?: 'never' | 'daily' | 'weekly' | 'monthly';
          /**
           * Index each chunk together with a sentence that the chat model writes about it
           */
          situated_context?: boolean | null;
          source: string;
          chunk_regex?: '' | null;
          content: string;
        };
    reply: KbContent;
  };
  /**
   * Delete a content with its chunks and vectors
   */
  'DELETE /v3/{project_id}/kb/{content_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the content; 24 hexadecimal digits
       */
      content_id: string;
    };
    reply: KbContent;
  };
  /**
   * Get the former settings: the pages of the default knowledge base
   */
  'GET /v3/{project_id}/kbsettings': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      maxKbsNumber: number;
      maxPagesNumber: number;
      kbs: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        name: string;
        url: string;
        status: number;
      }[];
    };
  };
  /**
   * Get the former settings, like GET: they always exist, so this call creates nothing
   */
  'POST /v3/{project_id}/kbsettings': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {};
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      maxKbsNumber: number;
      maxPagesNumber: number;
      kbs: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        name: string;
        url: string;
        status: number;
      }[];
    };
  };
  /**
   * Store the API key of the `openai` integration
   */
  'PUT /v3/{project_id}/kbsettings/{settings_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base settings; 24 hexadecimal digits
       */
      settings_id: string;
    };
    body: {
      gptkey: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      maxKbsNumber: number;
      maxPagesNumber: number;
      kbs: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        name: string;
        url: string;
        status: number;
      }[];
    };
  };
  /**
   * Add a page to the default knowledge base
   */
  'POST /v3/{project_id}/kbsettings/{settings_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base settings; 24 hexadecimal digits
       */
      settings_id: string;
    };
    body: {
      name: string;
      url: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      maxKbsNumber: number;
      maxPagesNumber: number;
      kbs: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        name: string;
        url: string;
        status: number;
      }[];
    };
  };
  /**
   * Remove a page from the default knowledge base
   */
  'DELETE /v3/{project_id}/kbsettings/{settings_id}/{content_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the knowledge base settings; 24 hexadecimal digits
       */
      settings_id: string;
      /**
       * Id of the content; 24 hexadecimal digits
       */
      content_id: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      maxKbsNumber: number;
      maxPagesNumber: number;
      kbs: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        name: string;
        url: string;
        status: number;
      }[];
    };
  };
  /**
   * Try a prompt with a chat model
   */
  'POST /v3/{project_id}/llm/preview': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * The provider: `openai`
       */
      llm: string;
      question: string;
      model?: string;
      /**
       * Instructions for the model
       */
      context?: string;
      max_tokens?: number;
      temperature?: number;
      /**
       * Whether the chat model reasons before it answers; passed on to the provider
       */
      thinking?:
        | {
            type: 'enabled' | 'disabled' | 'adaptive';
            budget_tokens?: number;
          }
        | boolean
        | ('' | null);
      vllmServer?: string;
    };
    reply: {
      answer: string;
      tools_log: null;
      chat_history_dict: {
        [k: string]: {
          question: string;
          answer: string;
        };
      };
      prompt_token_info: {
        input_tokens: number;
        output_tokens: number;
        total_tokens: number;
      };
    };
  };
  /**
   * List the integrations of a project, without their keys
   */
  'GET /v3/{project_id}/integration': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: Integration[];
  };
  /**
   * Create an integration, or replace the settings of the integration with the same name
   */
  'POST /v3/{project_id}/integration': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      name: string;
      /**
       * Settings, such as `apikey`, `url` or `servers`. Fields whose names end in `apikey`, `api_key`, `private_key`, `secret`, `token`, `password`, `authorization` or `credentials` are stored encrypted, and returned empty. If such a field is sent empty, its stored value is kept
       */
      value: {
        [k: string]: _Schema0;
      };
    };
    reply: Integration;
  };
  /**
   * Get an integration
   */
  'GET /v3/{project_id}/integration/{integration_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the integration; 24 hexadecimal digits
       */
      integration_id: string;
    };
    reply: Integration;
  };
  /**
   * Replace the settings of an integration
   */
  'PUT /v3/{project_id}/integration/{integration_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the integration; 24 hexadecimal digits
       */
      integration_id: string;
    };
    body: {
      /**
       * Settings, such as `apikey`, `url` or `servers`. Fields whose names end in `apikey`, `api_key`, `private_key`, `secret`, `token`, `password`, `authorization` or `credentials` are stored encrypted, and returned empty. If such a field is sent empty, its stored value is kept
       */
      value: {
        [k: string]: _Schema0;
      };
    };
    reply: Integration;
  };
  /**
   * Delete an integration with its keys
   */
  'DELETE /v3/{project_id}/integration/{integration_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the integration; 24 hexadecimal digits
       */
      integration_id: string;
    };
    reply: {
      success: true;
      messages: string;
    };
  };
  /**
   * Get the integration with this name, or the text `Integration not found`
   */
  'GET /v3/{project_id}/integration/name/{name}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Complete name of the integration
       */
      name: string;
    };
    reply: Integration | 'Integration not found';
  };
  /**
   * Get what the project has used in a billing month, which starts on the day of the month on which the project was created
   */
  'POST /v3/{project_id}/quotes': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * A time in the billing month. Default: now
       */
      date?: string;
    };
    reply: {
      success: true;
      quotes: {
        [k: string]: {
          quote: number;
        };
      };
      slot: BillingPeriod;
    };
  };
  /**
   * Check whether the project has quota of this type left. If the plan has no limit, the result is always true
   */
  'GET /v3/{project_id}/quotes/{type}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * In a path: the type of quota, or `conversation-tag`. In a query: only records of this type
       */
      type: string;
    };
    reply: {
      isAvailable: boolean;
    };
  };
  /**
   * Add tokens or seconds of speech that a client has used for the project
   */
  'POST /v3/{project_id}/quotes/incr/{type}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * In a path: the type of quota, or `conversation-tag`. In a query: only records of this type
       */
      type: string;
    };
    body: {
      tokens: number;
      model?: string;
    };
    reply: {
      message: string;
      key: string;
      currentQuote: number;
    };
  };
  /**
   * List the changes after a cursor, in order. Visitors see only changes to their own conversations
   */
  'GET /v3/{project_id}/changes': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Cursor to continue from. `0`: start at the oldest change. Absent: return no changes, only the current `next`
       */
      after?: string;
      /**
       * Default 100, at most 500
       */
      limit?: number;
      /**
       * Seconds to wait for the first change, at most 25
       */
      wait?: number;
    };
    reply: {
      changes: {
        /**
         * Position in the log; opaque
         */
        cursor: string;
        /**
         * Unique id of the change, the same in repeated deliveries
         */
        id: string;
        event: string;
        /**
         * ISO 8601, UTC
         */
        createdAt: string;
        /**
         * Payload as `/v3/asyncapi.json` describes it for this event
         */
        payload: {
          [k: string]: unknown;
        };
      }[];
      next: string;
    };
  };
  /**
   * List the newest 100 dead letters, oldest first: events that could not be relayed or processed
   */
  'GET /v3/dead-letters': {
    reply: DeadLetter[];
  };
  /**
   * Process the event of a dead letter again; for example, repeat a failed call to a bot
   */
  'POST /v3/dead-letters/replay': {
    body: {
      /**
       * The `_id` of the dead letter
       */
      dead_letter: string;
    };
    reply: {
      success: true;
    };
  };
  /**
   * Issue a ticket with which a client that cannot send headers opens one stream or socket
   */
  'POST /v3/{project_id}/stream/ticket': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: {
      /**
       * Send it as `?ticket=`
       */
      ticket: string;
      /**
       * Seconds
       */
      expires_in: number;
    };
  };
  /**
   * Open a WebSocket, on which the client subscribes to topics of projects (docs/realtime.md)
   */
  'GET /v3/ws': {
    query?: {
      /**
       * Ticket in place of the `Authorization` header; valid for one connection
       */
      ticket?: string;
      /**
       * Sign-in token, for clients that send it in the URL
       */
      token?: string;
    };
    /**
     * Frames as JSON text
     */
    reply: string;
  };
  /**
   * Stream changes as server-sent events. Visitors see only changes to their own conversations
   */
  'GET /v3/{project_id}/stream': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Cursor to continue from; absent: start now
       */
      after?: string;
      /**
       * Ticket in place of the `Authorization` header; valid for one connection
       */
      ticket?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Emit a custom event. It is stored for a limited time and delivered to streams, sockets, subscriptions and triggers
   */
  'POST /v3/{project_id}/events': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      name: string;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: CustomEvent;
  };
  /**
   * List the stored custom events
   */
  'GET /v3/{project_id}/events': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'name';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'name';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Id of a membership: only events emitted by this member
       */
      project_user?: string;
    };
    reply: {
      perPage: number;
      count: number;
      events: CustomEvent[];
    };
  };
  /**
   * Get a custom event
   */
  'GET /v3/{project_id}/events/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: CustomEvent;
  };
  /**
   * Post a message. An unknown `request_id` opens a conversation. Visitors can post only to their own conversations
   */
  'POST /v3/{project_id}/requests/{request_id}/messages': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      text?: string | null;
      type?: string | null;
      metadata?: {
        [k: string]: _Schema0;
      } | null;
      status?: number | null;
      /**
       * Id that the client chooses for the message. A repeated call with the same id returns the stored message
       */
      client_message_id?: string | null;
      preflight?: boolean | null;
      request_status?: number | null;
      sender?: string | null;
      senderFullname?: string | null;
      email?: string | null;
      department?: string | null;
      /**
       * Alias of `department`
       */
      departmentid?: string | null;
      subject?: string | null;
      sourcePage?: string | null;
      language?: string | null;
      userAgent?: string | null;
      priority?: string | null;
      channel?: {
        name: string;
      } | null;
      location?: {
        [k: string]: _Schema0;
      } | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      participants?: string[] | null;
      followers?: string[] | null;
    };
    reply: PostedMessage | VisitorPostedMessage;
  };
  /**
   * List the newest messages of a conversation in chronological order. Visitors see no private messages
   */
  'GET /v3/{project_id}/requests/{request_id}/messages': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Maximum number of messages to return: the newest, in chronological order. Default and maximum: 1000
       */
      limit?: number;
      /**
       * `X-Next-Cursor` of the previous page; returns the messages that are older than that page
       */
      cursor?: string;
    };
    reply: (Message | VisitorMessage)[];
  };
  /**
   * Import messages into a conversation. If a message is invalid, none is stored. Repeating an interrupted call stores the missing messages
   */
  'POST /v3/{project_id}/requests/{request_id}/messages/multi': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    /**
     * @minItems 1
     * @maxItems 10000
     */
    body: {
      text?: string | null;
      type?: string | null;
      metadata?: {
        [k: string]: _Schema0;
      } | null;
      status?: number | null;
      /**
       * Id that the client chooses for the message. A repeated call with the same id returns the stored message
       */
      client_message_id?: string | null;
      sender?: string | null;
      senderFullname?: string | null;
      language?: string | null;
      channel?: {
        name: string;
      } | null;
      /**
       * `clienttimestamp`: Unix time of the message in milliseconds
       */
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    }[];
    reply: (Message | VisitorMessage) | (Message | VisitorMessage)[];
  };
  /**
   * Get a message of a conversation
   */
  'GET /v3/{project_id}/requests/{request_id}/messages/{message_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
      /**
       * Id of the message; 24 hexadecimal digits
       */
      message_id: string;
    };
    reply: Message | VisitorMessage;
  };
  /**
   * Send a direct message to a member, bot or lead (`direct`), or post to an existing conversation (`group`)
   */
  'POST /v3/{project_id}/messages': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      text?: string | null;
      type?: string | null;
      metadata?: {
        [k: string]: _Schema0;
      } | null;
      status?: number | null;
      recipient: string;
      recipientFullname: string;
      /**
       * Default `direct`
       */
      channel_type?: ('direct' | 'group') | null;
      sender?: string | null;
      senderFullname?: string | null;
      language?: string | null;
      channel?: {
        name: string;
      } | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: Message;
  };
  /**
   * List the messages of a project, newest first
   */
  'GET /v3/{project_id}/messages': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 10; values above 50 are replaced by 10
       */
      limit?: number;
      /**
       * Words that must all occur in the message
       */
      full_text?: string;
      /**
       * Any value: include the conversation of each message
       */
      populate_request?: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      recipient: string;
      recipientFullname?: string;
      sender: string;
      senderFullname?: string;
      text?: string;
      type: string;
      metadata?: {
        [k: string]: unknown;
      };
      attributes?: {
        [k: string]: unknown;
      };
      language?: string;
      channel: {
        name: string;
      };
      channel_type: string;
      status: number;
      client_message_id?: string;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      request?: Conversation;
      highlights?: {
        path: string;
        texts: {
          value: string;
          type: 'hit' | 'text';
        }[];
      }[];
    }[];
  };
  /**
   * Export the messages of a conversation as CSV. Visitors see no private messages
   */
  'GET /v3/{project_id}/requests/{request_id}/messages/csv': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Export all messages of a project as CSV, newest first
   */
  'GET /v3/{project_id}/messages/csv': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * List conversations. Agents see only conversations that they were eligible for or participate in
   */
  'GET /v3/{project_id}/requests': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40; values above 100 are replaced by 40
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?:
        | 'createdAt'
        | 'updatedAt'
        | 'assigned_at'
        | 'first_response_at'
        | 'closed_at'
        | 'ticket_id'
        | 'priority'
        | 'status'
        | 'waiting_time'
        | 'duration';
      /**
       * Former name of `sortField`
       */
      sort?:
        | 'createdAt'
        | 'updatedAt'
        | 'assigned_at'
        | 'first_response_at'
        | 'closed_at'
        | 'ticket_id'
        | 'priority'
        | 'status'
        | 'waiting_time'
        | 'duration';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * `next_cursor` of the previous page; replaces `page`
       */
      cursor?: string;
      /**
       * `false`: skip counting; `count` is 0
       */
      count?: boolean;
      /**
       * Comma-separated statuses, or `all`; default: all except 1000 (closed)
       */
      status?: string;
      /**
       * First day. Format: DD/MM/YYYY
       */
      start_date?: string;
      /**
       * Last day. Format: DD/MM/YYYY
       */
      end_date?: string;
      /**
       * Start of the range, to the second; ignored if a day is given. Format: DD/MM/YYYY HH:mm:ss
       */
      start_date_time?: string;
      /**
       * End of the range (inclusive), to the second; ignored if a day is given. Format: DD/MM/YYYY HH:mm:ss
       */
      end_date_time?: string;
      /**
       * Time zone of the dates; default: the time zone of the project, or UTC
       */
      timezone?: string;
      /**
       * Field to which the dates apply; default `createdAt`
       */
      filterRangeField?: 'createdAt' | 'updatedAt' | 'assigned_at' | 'first_response_at' | 'closed_at';
      /**
       * Id of the department
       */
      dept_id?: string;
      /**
       * `_id` of the lead
       */
      lead?: string;
      /**
       * `_id` of a segment that contains the lead
       */
      segment?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Whether a bot participates
       */
      hasbot?: boolean;
      /**
       * Name of a tag of the conversation
       */
      tags?: string;
      /**
       * Email address of the lead
       */
      requester_email?: string;
      /**
       * Consecutive digits that the phone number contains; separators are ignored
       */
      phone?: string;
      /**
       * Ticket number
       */
      ticket_id?: number;
      /**
       * `true`: include conversations whose visitor has not written yet
       */
      preflight?: boolean;
      /**
       * Whether the conversation is assigned automatically
       */
      smartAssignment?: boolean;
      /**
       * `offline` (email and form), `online` (all others), or the name of a channel
       */
      channel?: string;
      /**
       * Exact priority
       */
      priority?: string;
      /**
       * Working status to exclude
       */
      'workingStatus[ne]'?: string;
      /**
       * Comma-separated working statuses to include
       */
      'workingStatus[in]'?: string;
      /**
       * Comma-separated working statuses to exclude
       */
      'workingStatus[nin]'?: string;
      /**
       * Routing of the department at the time of the assignment
       */
      snap_department_routing?: string;
      /**
       * Whether the department was the default department at the time of the assignment
       */
      snap_department_default?: boolean;
      /**
       * Id of the bot of the department at the time of the assignment
       */
      snap_department_id_bot?: string;
      /**
       * Whether the department had a bot at the time of the assignment
       */
      snap_department_id_bot_exists?: boolean;
      /**
       * `lead_id` of the lead
       */
      snap_lead_lead_id?: string;
      /**
       * Alias of `requester_email`
       */
      snap_lead_email?: string;
      /**
       * Exact value of `attributes.caller_phone`
       */
      caller?: string;
      /**
       * Exact value of `attributes.called_phone`
       */
      called?: string;
      /**
       * Exact value of `attributes.call_id`
       */
      call_id?: string;
      /**
       * Duration of the conversation in minutes; ignored without `duration_op`
       */
      duration?: number;
      /**
       * `gt`: conversations of at least `duration`; `lt`: of at most `duration`
       */
      duration_op?: 'gt' | 'lt';
      /**
       * `true`: conversations that all agents of the department have left
       */
      abandoned?: boolean;
      /**
       * `true`: conversations with a rating
       */
      rated?: boolean;
      /**
       * `false`: exclude test conversations, in which a bot is tried out before its publication
       */
      draft?: boolean;
      /**
       * `true`: return the lead, requester and department as ids
       */
      no_populate?: boolean;
      /**
       * `true`: same as `count=false`
       */
      no_count?: boolean;
      /**
       * Words that must all occur in the conversation or its messages; quoted words form a phrase. The matches are grouped by age, newest group first; each group is sorted by relevance
       */
      full_text?: string;
      /**
       * `true`: sort by date, newest first, and return no score
       */
      no_textscore?: boolean;
      /**
       * Exact country, region, city, street address, postal code or IP address
       */
      location?: string;
    };
    reply: {
      perPage: number;
      /**
       * Number of matches; with `full_text`, of those found so far; 0 if counting is skipped
       */
      count: number;
      /**
       * `cursor` of the next page, which may be empty; null if there is none
       */
      next_cursor: string | null;
      requests: (
        | {
            /**
             * 24 hexadecimal digits
             */
            _id: string;
            /**
             * 24 hexadecimal digits
             */
            id: string;
            id_project: string;
            request_id: string;
            ticket_id?: number;
            requester_id: string | null;
            lead?: Lead;
            subject?: string;
            first_text: string;
            department?: string;
            participants: string[];
            participantsAgents: string[];
            participantsBots: string[];
            participatingBots: {
              [k: string]: unknown;
            }[];
            hasBot: boolean;
            status: number;
            preflight: boolean;
            draft?: boolean;
            channel: {
              name: string;
            };
            channelOutbound: {
              name: string;
            };
            sourcePage?: string;
            language?: string;
            userAgent?: string;
            location?: {
              [k: string]: unknown;
            };
            contact?: {
              [k: string]: unknown;
            };
            rating?: number;
            rating_message?: string;
            /**
             * ISO 8601, UTC
             */
            assigned_at?: string;
            /**
             * ISO 8601, UTC
             */
            first_response_at?: string;
            /**
             * Milliseconds
             */
            waiting_time?: number;
            /**
             * ISO 8601, UTC
             */
            closed_at?: string;
            closed_by?: string;
            /**
             * Milliseconds
             */
            duration?: number;
            createdBy: string;
            /**
             * ISO 8601, UTC
             */
            createdAt: string;
            /**
             * ISO 8601, UTC
             */
            updatedAt: string;
            __v: number;
            requester?: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              role: string;
              /**
               * 1: teammate, 2: visitor
               */
              roleType?: number;
              user_available?: boolean;
              status?: 'active' | 'disabled';
              trashed?: boolean;
              attributes?: {
                [k: string]: unknown;
              };
              settings?: {
                [k: string]: unknown;
              };
              max_assigned_chat?: number;
              number_assigned_requests?: number;
              /**
               * ISO 8601, UTC
               */
              last_login_at?: string;
              createdBy?: string;
              /**
               * ISO 8601, UTC
               */
              createdAt?: string;
              /**
               * ISO 8601, UTC
               */
              updatedAt?: string;
              __v?: number;
              /**
               * 24 hexadecimal digits
               */
              id?: string;
              id_project: string;
              /**
               * The visitor's id; absent for people with an account
               */
              uuid_user?: string;
              profileStatus?: string;
              presence?: 'online' | 'offline';
              tags?: {
                /**
                 * 24 hexadecimal digits
                 */
                _id: string;
                tag: string;
                color?: string;
                attributes?: {
                  [k: string]: unknown;
                };
              }[];
              permissions?: string[];
              isAuthenticated?: boolean;
              id_user?: {
                /**
                 * 24 hexadecimal digits
                 */
                _id: string;
                firstname?: string;
                lastname?: string;
                email?: string;
                emailverified?: boolean;
                /**
                 * ISO 8601, UTC
                 */
                createdAt?: string;
                /**
                 * ISO 8601, UTC
                 */
                updatedAt?: string;
              };
            };
            /**
             * The teammates that routing considered. Those after the first 20 have only ids and a role. In the reply to a call that posts a message, all of them have only ids and a role
             */
            agents: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              role: string;
              /**
               * 1: teammate, 2: visitor
               */
              roleType?: number;
              user_available?: boolean;
              status?: 'active' | 'disabled';
              trashed?: boolean;
              max_assigned_chat?: number;
              number_assigned_requests?: number;
              /**
               * ISO 8601, UTC
               */
              last_login_at?: string;
              createdBy?: string;
              /**
               * ISO 8601, UTC
               */
              createdAt?: string;
              /**
               * ISO 8601, UTC
               */
              updatedAt?: string;
              __v?: number;
              /**
               * 24 hexadecimal digits
               */
              id?: string;
              id_project?: string;
              /**
               * The visitor's id; absent for people with an account
               */
              uuid_user?: string;
              profileStatus?: string;
              presence?: 'online' | 'offline';
              tags?: {
                /**
                 * 24 hexadecimal digits
                 */
                _id: string;
                tag: string;
                color?: string;
                attributes?: {
                  [k: string]: unknown;
                };
              }[];
              permissions?: string[];
              isAuthenticated?: boolean;
              id_user: {
                /**
                 * 24 hexadecimal digits
                 */
                _id: string;
                firstname?: string;
                lastname?: string;
                email?: string;
                emailverified?: boolean;
                /**
                 * ISO 8601, UTC
                 */
                createdAt?: string;
                /**
                 * ISO 8601, UTC
                 */
                updatedAt?: string;
              };
            }[];
            participatingAgents: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              firstname?: string;
              lastname?: string;
              email: string;
              emailverified: boolean;
              /**
               * ISO 8601, UTC
               */
              createdAt: string;
              /**
               * ISO 8601, UTC
               */
              updatedAt: string;
            }[];
            smartAssignment: boolean;
            workingStatus?: string;
            priority: string;
            followers: string[];
            tags: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              tag: string;
              color?: string;
              attributes?: {
                [k: string]: unknown;
              };
            }[];
            notes: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              text: string;
              createdBy: string;
              attributes?: {
                [k: string]: unknown;
              };
              /**
               * ISO 8601, UTC
               */
              createdAt: string;
              /**
               * ISO 8601, UTC
               */
              updatedAt: string;
            }[];
            auto_close?: number;
            snapshot: {
              lead?: Lead;
              /**
               * The requester at the time when the conversation was opened
               */
              requester?: {
                /**
                 * 24 hexadecimal digits
                 */
                _id: string;
                role: string;
                /**
                 * 1: teammate, 2: visitor
                 */
                roleType?: number;
                user_available?: boolean;
                status?: 'active' | 'disabled';
                trashed?: boolean;
                attributes?: {
                  [k: string]: unknown;
                };
                settings?: {
                  [k: string]: unknown;
                };
                max_assigned_chat?: number;
                number_assigned_requests?: number;
                /**
                 * ISO 8601, UTC
                 */
                last_login_at?: string;
                createdBy?: string;
                /**
                 * ISO 8601, UTC
                 */
                createdAt?: string;
                /**
                 * ISO 8601, UTC
                 */
                updatedAt?: string;
                __v?: number;
                /**
                 * 24 hexadecimal digits
                 */
                id?: string;
                id_project: string;
                /**
                 * The visitor's id; absent for people with an account
                 */
                uuid_user?: string;
                profileStatus?: string;
                presence?: unknown;
                tags?: {
                  /**
                   * 24 hexadecimal digits
                   */
                  _id: string;
                  tag: string;
                  color?: string;
                  attributes?: {
                    [k: string]: unknown;
                  };
                }[];
                permissions?: string[];
                isAuthenticated?: boolean;
                id_user?: {
                  /**
                   * 24 hexadecimal digits
                   */
                  _id: string;
                  firstname?: string;
                  lastname?: string;
                  email?: string;
                  emailverified?: boolean;
                  /**
                   * ISO 8601, UTC
                   */
                  createdAt?: string;
                  /**
                   * ISO 8601, UTC
                   */
                  updatedAt?: string;
                };
              };
              department?: {
                [k: string]: unknown;
              };
              /**
               * Same as `agents` of the conversation
               */
              agents?: {
                /**
                 * 24 hexadecimal digits
                 */
                _id: string;
                role: string;
                /**
                 * 1: teammate, 2: visitor
                 */
                roleType?: number;
                user_available?: boolean;
                status?: 'active' | 'disabled';
                trashed?: boolean;
                max_assigned_chat?: number;
                number_assigned_requests?: number;
                /**
                 * ISO 8601, UTC
                 */
                last_login_at?: string;
                createdBy?: string;
                /**
                 * ISO 8601, UTC
                 */
                createdAt?: string;
                /**
                 * ISO 8601, UTC
                 */
                updatedAt?: string;
                __v?: number;
                /**
                 * 24 hexadecimal digits
                 */
                id?: string;
                id_project?: string;
                /**
                 * The visitor's id; absent for people with an account
                 */
                uuid_user?: string;
                profileStatus?: string;
                presence?: 'online' | 'offline';
                tags?: {
                  /**
                   * 24 hexadecimal digits
                   */
                  _id: string;
                  tag: string;
                  color?: string;
                  attributes?: {
                    [k: string]: unknown;
                  };
                }[];
                permissions?: string[];
                isAuthenticated?: boolean;
                id_user: {
                  /**
                   * 24 hexadecimal digits
                   */
                  _id: string;
                  firstname?: string;
                  lastname?: string;
                  email?: string;
                  emailverified?: boolean;
                  /**
                   * ISO 8601, UTC
                   */
                  createdAt?: string;
                  /**
                   * ISO 8601, UTC
                   */
                  updatedAt?: string;
                };
              }[];
              availableAgentsCount?: number;
            };
            attributes?: {
              [k: string]: unknown;
            };
            /**
             * With `full_text`: relevance. Results are sorted by relevance only within groups of conversations of similar age
             */
            score?: number;
            /**
             * With `full_text`: where the words occur
             */
            highlights?: {
              path: string;
              texts: {
                value: string;
                type: 'hit' | 'text';
              }[];
            }[];
          }
        | {
            /**
             * 24 hexadecimal digits
             */
            _id: string;
            /**
             * 24 hexadecimal digits
             */
            id: string;
            id_project: string;
            request_id: string;
            ticket_id?: number;
            requester_id: string | null;
            lead?: string;
            subject?: string;
            first_text: string;
            department?: string;
            participants: string[];
            participantsAgents: string[];
            participantsBots: string[];
            hasBot: boolean;
            status: number;
            preflight: boolean;
            draft?: boolean;
            channel: {
              name: string;
            };
            channelOutbound: {
              name: string;
            };
            sourcePage?: string;
            language?: string;
            userAgent?: string;
            location?: {
              [k: string]: unknown;
            };
            contact?: {
              [k: string]: unknown;
            };
            rating?: number;
            rating_message?: string;
            /**
             * ISO 8601, UTC
             */
            assigned_at?: string;
            /**
             * ISO 8601, UTC
             */
            first_response_at?: string;
            /**
             * Milliseconds
             */
            waiting_time?: number;
            /**
             * ISO 8601, UTC
             */
            closed_at?: string;
            closed_by?: string;
            /**
             * Milliseconds
             */
            duration?: number;
            createdBy: string;
            /**
             * ISO 8601, UTC
             */
            createdAt: string;
            /**
             * ISO 8601, UTC
             */
            updatedAt: string;
            __v: number;
            requester?: string;
            agents: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              /**
               * 24 hexadecimal digits
               */
              id_user: string;
              role: string;
            }[];
            smartAssignment: boolean;
            workingStatus?: string;
            priority: string;
            followers: string[];
            tags: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              tag: string;
              color?: string;
              attributes?: {
                [k: string]: unknown;
              };
            }[];
            notes: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              text: string;
              createdBy: string;
              attributes?: {
                [k: string]: unknown;
              };
              /**
               * ISO 8601, UTC
               */
              createdAt: string;
              /**
               * ISO 8601, UTC
               */
              updatedAt: string;
            }[];
            auto_close?: number;
            snapshot: {
              lead?: Lead;
              /**
               * The requester at the time when the conversation was opened
               */
              requester?: {
                /**
                 * 24 hexadecimal digits
                 */
                _id: string;
                role: string;
                /**
                 * 1: teammate, 2: visitor
                 */
                roleType?: number;
                user_available?: boolean;
                status?: 'active' | 'disabled';
                trashed?: boolean;
                attributes?: {
                  [k: string]: unknown;
                };
                settings?: {
                  [k: string]: unknown;
                };
                max_assigned_chat?: number;
                number_assigned_requests?: number;
                /**
                 * ISO 8601, UTC
                 */
                last_login_at?: string;
                createdBy?: string;
                /**
                 * ISO 8601, UTC
                 */
                createdAt?: string;
                /**
                 * ISO 8601, UTC
                 */
                updatedAt?: string;
                __v?: number;
                /**
                 * 24 hexadecimal digits
                 */
                id?: string;
                id_project: string;
                /**
                 * The visitor's id; absent for people with an account
                 */
                uuid_user?: string;
                profileStatus?: string;
                presence?: unknown;
                tags?: {
                  /**
                   * 24 hexadecimal digits
                   */
                  _id: string;
                  tag: string;
                  color?: string;
                  attributes?: {
                    [k: string]: unknown;
                  };
                }[];
                permissions?: string[];
                isAuthenticated?: boolean;
                id_user?: {
                  /**
                   * 24 hexadecimal digits
                   */
                  _id: string;
                  firstname?: string;
                  lastname?: string;
                  email?: string;
                  emailverified?: boolean;
                  /**
                   * ISO 8601, UTC
                   */
                  createdAt?: string;
                  /**
                   * ISO 8601, UTC
                   */
                  updatedAt?: string;
                };
              };
              department?: {
                [k: string]: unknown;
              };
              /**
               * Same as `agents` of the conversation
               */
              agents?: {
                /**
                 * 24 hexadecimal digits
                 */
                _id: string;
                role: string;
                /**
                 * 1: teammate, 2: visitor
                 */
                roleType?: number;
                user_available?: boolean;
                status?: 'active' | 'disabled';
                trashed?: boolean;
                max_assigned_chat?: number;
                number_assigned_requests?: number;
                /**
                 * ISO 8601, UTC
                 */
                last_login_at?: string;
                createdBy?: string;
                /**
                 * ISO 8601, UTC
                 */
                createdAt?: string;
                /**
                 * ISO 8601, UTC
                 */
                updatedAt?: string;
                __v?: number;
                /**
                 * 24 hexadecimal digits
                 */
                id?: string;
                id_project?: string;
                /**
                 * The visitor's id; absent for people with an account
                 */
                uuid_user?: string;
                profileStatus?: string;
                presence?: 'online' | 'offline';
                tags?: {
                  /**
                   * 24 hexadecimal digits
                   */
                  _id: string;
                  tag: string;
                  color?: string;
                  attributes?: {
                    [k: string]: unknown;
                  };
                }[];
                permissions?: string[];
                isAuthenticated?: boolean;
                id_user: {
                  /**
                   * 24 hexadecimal digits
                   */
                  _id: string;
                  firstname?: string;
                  lastname?: string;
                  email?: string;
                  emailverified?: boolean;
                  /**
                   * ISO 8601, UTC
                   */
                  createdAt?: string;
                  /**
                   * ISO 8601, UTC
                   */
                  updatedAt?: string;
                };
              }[];
              availableAgentsCount?: number;
            };
            attributes?: {
              [k: string]: unknown;
            };
            /**
             * With `full_text`: relevance. Results are sorted by relevance only within groups of conversations of similar age
             */
            score?: number;
            /**
             * With `full_text`: where the words occur
             */
            highlights?: {
              path: string;
              texts: {
                value: string;
                type: 'hit' | 'text';
              }[];
            }[];
          }
      )[];
    };
  };
  /**
   * Open a conversation without messages. The reply contains the lead, requester and department as ids
   */
  'POST /v3/{project_id}/requests': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      first_text: string;
      request_id?: string | null;
      sender?: string | null;
      senderFullname?: string | null;
      email?: string | null;
      department?: string | null;
      /**
       * Alias of `department`
       */
      departmentid?: string | null;
      subject?: string | null;
      sourcePage?: string | null;
      language?: string | null;
      userAgent?: string | null;
      priority?: string | null;
      channel?: {
        name: string;
      } | null;
      location?: {
        [k: string]: _Schema0;
      } | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      participants?: string[] | null;
      followers?: string[] | null;
    };
    reply: ConversationRef;
  };
  /**
   * List the caller's own conversations, with the fields that visitors may see
   */
  'GET /v3/{project_id}/requests/me': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40; values above 100 are replaced by 40
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?:
        | 'createdAt'
        | 'updatedAt'
        | 'assigned_at'
        | 'first_response_at'
        | 'closed_at'
        | 'ticket_id'
        | 'priority'
        | 'status'
        | 'waiting_time'
        | 'duration';
      /**
       * Former name of `sortField`
       */
      sort?:
        | 'createdAt'
        | 'updatedAt'
        | 'assigned_at'
        | 'first_response_at'
        | 'closed_at'
        | 'ticket_id'
        | 'priority'
        | 'status'
        | 'waiting_time'
        | 'duration';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * `next_cursor` of the previous page; replaces `page`
       */
      cursor?: string;
      /**
       * `false`: skip counting; `count` is 0
       */
      count?: boolean;
      /**
       * Comma-separated statuses, or `all`; default: all except 1000 (closed)
       */
      status?: string;
      /**
       * First day. Format: DD/MM/YYYY
       */
      start_date?: string;
      /**
       * Last day. Format: DD/MM/YYYY
       */
      end_date?: string;
      /**
       * Start of the range, to the second; ignored if a day is given. Format: DD/MM/YYYY HH:mm:ss
       */
      start_date_time?: string;
      /**
       * End of the range (inclusive), to the second; ignored if a day is given. Format: DD/MM/YYYY HH:mm:ss
       */
      end_date_time?: string;
      /**
       * Time zone of the dates; default: the time zone of the project, or UTC
       */
      timezone?: string;
      /**
       * Field to which the dates apply; default `createdAt`
       */
      filterRangeField?: 'createdAt' | 'updatedAt' | 'assigned_at' | 'first_response_at' | 'closed_at';
      /**
       * Id of the department
       */
      dept_id?: string;
      /**
       * `_id` of the lead
       */
      lead?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Whether a bot participates
       */
      hasbot?: boolean;
      /**
       * Name of a tag of the conversation
       */
      tags?: string;
      /**
       * Email address of the lead
       */
      requester_email?: string;
      /**
       * Consecutive digits that the phone number contains; separators are ignored
       */
      phone?: string;
      /**
       * Ticket number
       */
      ticket_id?: number;
      /**
       * `true`: include conversations whose visitor has not written yet
       */
      preflight?: boolean;
      /**
       * Whether the conversation is assigned automatically
       */
      smartAssignment?: boolean;
      /**
       * `offline` (email and form), `online` (all others), or the name of a channel
       */
      channel?: string;
      /**
       * Exact priority
       */
      priority?: string;
      /**
       * Working status to exclude
       */
      'workingStatus[ne]'?: string;
      /**
       * Comma-separated working statuses to include
       */
      'workingStatus[in]'?: string;
      /**
       * Comma-separated working statuses to exclude
       */
      'workingStatus[nin]'?: string;
      /**
       * Routing of the department at the time of the assignment
       */
      snap_department_routing?: string;
      /**
       * Whether the department was the default department at the time of the assignment
       */
      snap_department_default?: boolean;
      /**
       * Id of the bot of the department at the time of the assignment
       */
      snap_department_id_bot?: string;
      /**
       * Whether the department had a bot at the time of the assignment
       */
      snap_department_id_bot_exists?: boolean;
      /**
       * `lead_id` of the lead
       */
      snap_lead_lead_id?: string;
      /**
       * Alias of `requester_email`
       */
      snap_lead_email?: string;
      /**
       * Exact value of `attributes.caller_phone`
       */
      caller?: string;
      /**
       * Exact value of `attributes.called_phone`
       */
      called?: string;
      /**
       * Exact value of `attributes.call_id`
       */
      call_id?: string;
      /**
       * Duration of the conversation in minutes; ignored without `duration_op`
       */
      duration?: number;
      /**
       * `gt`: conversations of at least `duration`; `lt`: of at most `duration`
       */
      duration_op?: 'gt' | 'lt';
      /**
       * `true`: conversations that all agents of the department have left
       */
      abandoned?: boolean;
      /**
       * `true`: conversations with a rating
       */
      rated?: boolean;
      /**
       * `false`: exclude test conversations, in which a bot is tried out before its publication
       */
      draft?: boolean;
      /**
       * `true`: return the lead, requester and department as ids
       */
      no_populate?: boolean;
      /**
       * `true`: same as `count=false`
       */
      no_count?: boolean;
      /**
       * Words that must all occur in the conversation or its messages; quoted words form a phrase. The matches are grouped by age, newest group first; each group is sorted by relevance
       */
      full_text?: string;
      /**
       * `true`: sort by date, newest first, and return no score
       */
      no_textscore?: boolean;
      /**
       * Exact country, region, city, street address, postal code or IP address
       */
      location?: string;
    };
    reply: {
      perPage: number;
      /**
       * Number of matches; with `full_text`, of those found so far; 0 if counting is skipped
       */
      count: number;
      /**
       * `cursor` of the next page, which may be empty; null if there is none
       */
      next_cursor: string | null;
      requests: (
        | {
            /**
             * 24 hexadecimal digits
             */
            _id: string;
            /**
             * 24 hexadecimal digits
             */
            id: string;
            id_project: string;
            request_id: string;
            ticket_id?: number;
            requester_id: string | null;
            lead?: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              lead_id: string;
              fullname?: string;
              email?: string;
              phone?: string;
            };
            subject?: string;
            first_text: string;
            department?: string;
            participants: string[];
            participantsAgents: string[];
            participantsBots: string[];
            participatingBots: {
              [k: string]: unknown;
            }[];
            hasBot: boolean;
            status: number;
            preflight: boolean;
            draft?: boolean;
            channel: {
              name: string;
            };
            channelOutbound: {
              name: string;
            };
            sourcePage?: string;
            language?: string;
            userAgent?: string;
            location?: {
              [k: string]: unknown;
            };
            contact?: {
              [k: string]: unknown;
            };
            rating?: number;
            rating_message?: string;
            /**
             * ISO 8601, UTC
             */
            assigned_at?: string;
            /**
             * ISO 8601, UTC
             */
            first_response_at?: string;
            /**
             * Milliseconds
             */
            waiting_time?: number;
            /**
             * ISO 8601, UTC
             */
            closed_at?: string;
            closed_by?: string;
            /**
             * Milliseconds
             */
            duration?: number;
            createdBy: string;
            /**
             * ISO 8601, UTC
             */
            createdAt: string;
            /**
             * ISO 8601, UTC
             */
            updatedAt: string;
            __v: number;
            participatingAgents: {
              /**
               * 24 hexadecimal digits
               */
              _id: string;
              firstname?: string;
              lastname?: string;
            }[];
            /**
             * With `full_text`: relevance. Results are sorted by relevance only within groups of conversations of similar age
             */
            score?: number;
            /**
             * With `full_text`: where the words occur
             */
            highlights?: {
              path: string;
              texts: {
                value: string;
                type: 'hit' | 'text';
              }[];
            }[];
          }
        | {
            /**
             * 24 hexadecimal digits
             */
            _id: string;
            /**
             * 24 hexadecimal digits
             */
            id: string;
            id_project: string;
            request_id: string;
            ticket_id?: number;
            requester_id: string | null;
            lead?: string;
            subject?: string;
            first_text: string;
            department?: string;
            participants: string[];
            participantsAgents: string[];
            participantsBots: string[];
            hasBot: boolean;
            status: number;
            preflight: boolean;
            draft?: boolean;
            channel: {
              name: string;
            };
            channelOutbound: {
              name: string;
            };
            sourcePage?: string;
            language?: string;
            userAgent?: string;
            location?: {
              [k: string]: unknown;
            };
            contact?: {
              [k: string]: unknown;
            };
            rating?: number;
            rating_message?: string;
            /**
             * ISO 8601, UTC
             */
            assigned_at?: string;
            /**
             * ISO 8601, UTC
             */
            first_response_at?: string;
            /**
             * Milliseconds
             */
            waiting_time?: number;
            /**
             * ISO 8601, UTC
             */
            closed_at?: string;
            closed_by?: string;
            /**
             * Milliseconds
             */
            duration?: number;
            createdBy: string;
            /**
             * ISO 8601, UTC
             */
            createdAt: string;
            /**
             * ISO 8601, UTC
             */
            updatedAt: string;
            __v: number;
            /**
             * With `full_text`: relevance. Results are sorted by relevance only within groups of conversations of similar age
             */
            score?: number;
            /**
             * With `full_text`: where the words occur
             */
            highlights?: {
              path: string;
              texts: {
                value: string;
                type: 'hit' | 'text';
              }[];
            }[];
          }
      )[];
    };
  };
  /**
   * Count unassigned and assigned conversations, or the open and closed conversations of the current billing month
   */
  'GET /v3/{project_id}/requests/count': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Any value: `assigned` includes the conversations that a bot serves
       */
      merge_assigned?: string;
      /**
       * `true`: count the open and closed conversations of the current billing month, which starts on the day of the month on which the project was created
       */
      conversation_quota?: boolean;
    };
    reply:
      | {
          unassigned: number;
          assigned: number;
          bot_assigned?: number;
        }
      | {
          open: number;
          closed: number;
          slot: BillingPeriod;
        };
  };
  /**
   * Get a conversation
   */
  'GET /v3/{project_id}/requests/{request_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: ClosedConversation;
  };
  /**
   * Delete a conversation with its messages
   */
  'DELETE /v3/{project_id}/requests/{request_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: Conversation;
  };
  /**
   * Update fields of a conversation. A `status` is only stored; it does not close or reopen the conversation
   */
  'PATCH /v3/{project_id}/requests/{request_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      first_text?: string | null;
      lead?: string | null;
      status?: (50 | 100 | 150 | 200 | 1000) | null;
      tags?:
        | {
            tag: string;
            color?: string | null;
          }[]
        | null;
      notes?:
        | {
            /**
             * 24 hexadecimal digits
             */
            _id?: string;
            text: string;
          }[]
        | null;
      rating?: number | null;
      rating_message?: string | null;
      sourcePage?: string | null;
      language?: string | null;
      subject?: string | null;
      priority?: string | null;
      location?: {
        [k: string]: _Schema0;
      } | null;
      smartAssignment?: boolean | null;
      workingStatus?: string | null;
      channelName?: string | null;
    };
    reply: Conversation;
  };
  /**
   * Close a conversation. Agents can close only conversations in which they participate. Closing a closed conversation changes nothing unless `force` is true
   */
  'PUT /v3/{project_id}/requests/{request_id}/close': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      force?: boolean | null;
    };
    reply: ClosedConversation;
  };
  /**
   * Close your own conversation; bots and subscriptions can close any. A closed conversation is returned unchanged
   */
  'PUT /v3/{project_id}/requests/{request_id}/closeg': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: ClosedConversation | ClosedVisitorConversation;
  };
  /**
   * Reopen a closed conversation with its participants. An open conversation remains unchanged
   */
  'PUT /v3/{project_id}/requests/{request_id}/reopen': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: Conversation;
  };
  /**
   * Delete a conversation by its `_id`; its messages are kept
   */
  'DELETE /v3/{project_id}/requests/id/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: {
      n: number;
      ok: number;
      deletedCount: number;
    };
  };
  /**
   * Move a conversation of any status to a department; routing selects new participants
   */
  'PUT /v3/{project_id}/requests/{request_id}/departments': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      /**
       * If absent or `default`: the default department of the project
       */
      departmentid?: string | null;
      /**
       * Alias of `departmentid`
       */
      department?: string | null;
      /**
       * `true`: skip the department's bot
       */
      nobot?: boolean | null;
      /**
       * `true`: return the lead, requester and department as ids
       */
      no_populate?: boolean | null;
    };
    reply: Conversation | ConversationRef;
  };
  /**
   * Assign an unassigned conversation. A served or closed one is returned unchanged, with the ids of its lead, requester and department instead of their records
   */
  'PUT /v3/{project_id}/requests/{request_id}/assign': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      /**
       * If absent or `default`: the default department of the project
       */
      departmentid?: string | null;
      /**
       * Alias of `departmentid`
       */
      department?: string | null;
      /**
       * `true`: skip the department's bot
       */
      nobot?: boolean | null;
      /**
       * `true`: return the lead, requester and department as ids
       */
      no_populate?: boolean | null;
    };
    reply: Conversation | ConversationRef;
  };
  /**
   * Hand a conversation over from a bot to an agent of the conversation's department
   */
  'PUT /v3/{project_id}/requests/{request_id}/agent': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: Conversation;
  };
  /**
   * Remove all participants from a conversation and add a bot
   */
  'PUT /v3/{project_id}/requests/{request_id}/replace': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      id?: string | null;
      name?: string | null;
      slug?: string | null;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      /**
       * 24 hexadecimal digits
       */
      id: string;
      id_project: string;
      request_id: string;
      ticket_id?: number;
      requester_id: string | null;
      lead?: Lead;
      subject?: string;
      first_text: string;
      department?: string;
      participants: string[];
      participantsAgents: string[];
      participantsBots: string[];
      participatingBots: {
        [k: string]: unknown;
      }[];
      hasBot: boolean;
      status: number;
      preflight: boolean;
      draft?: boolean;
      channel: {
        name: string;
      };
      channelOutbound: {
        name: string;
      };
      sourcePage?: string;
      language?: string;
      userAgent?: string;
      location?: {
        [k: string]: unknown;
      };
      contact?: {
        [k: string]: unknown;
      };
      rating?: number;
      rating_message?: string;
      /**
       * ISO 8601, UTC
       */
      assigned_at?: string;
      /**
       * ISO 8601, UTC
       */
      first_response_at?: string;
      /**
       * Milliseconds
       */
      waiting_time?: number;
      /**
       * ISO 8601, UTC
       */
      closed_at?: string;
      closed_by?: string;
      /**
       * Milliseconds
       */
      duration?: number;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      requester?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        role: string;
        /**
         * 1: teammate, 2: visitor
         */
        roleType?: number;
        user_available?: boolean;
        status?: 'active' | 'disabled';
        trashed?: boolean;
        attributes?: {
          [k: string]: unknown;
        };
        settings?: {
          [k: string]: unknown;
        };
        max_assigned_chat?: number;
        number_assigned_requests?: number;
        /**
         * ISO 8601, UTC
         */
        last_login_at?: string;
        createdBy?: string;
        /**
         * ISO 8601, UTC
         */
        createdAt?: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt?: string;
        __v?: number;
        /**
         * 24 hexadecimal digits
         */
        id?: string;
        id_project: string;
        /**
         * The visitor's id; absent for people with an account
         */
        uuid_user?: string;
        profileStatus?: string;
        presence?: 'online' | 'offline';
        tags?: {
          /**
           * 24 hexadecimal digits
           */
          _id: string;
          tag: string;
          color?: string;
          attributes?: {
            [k: string]: unknown;
          };
        }[];
        permissions?: string[];
        isAuthenticated?: boolean;
        id_user?: {
          /**
           * 24 hexadecimal digits
           */
          _id: string;
          firstname?: string;
          lastname?: string;
          email?: string;
          emailverified?: boolean;
          /**
           * ISO 8601, UTC
           */
          createdAt?: string;
          /**
           * ISO 8601, UTC
           */
          updatedAt?: string;
        };
      };
      /**
       * The teammates that routing considered. Those after the first 20 have only ids and a role. In the reply to a call that posts a message, all of them have only ids and a role
       */
      agents: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        role: string;
        /**
         * 1: teammate, 2: visitor
         */
        roleType?: number;
        user_available?: boolean;
        status?: 'active' | 'disabled';
        trashed?: boolean;
        max_assigned_chat?: number;
        number_assigned_requests?: number;
        /**
         * ISO 8601, UTC
         */
        last_login_at?: string;
        createdBy?: string;
        /**
         * ISO 8601, UTC
         */
        createdAt?: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt?: string;
        __v?: number;
        /**
         * 24 hexadecimal digits
         */
        id?: string;
        id_project?: string;
        /**
         * The visitor's id; absent for people with an account
         */
        uuid_user?: string;
        profileStatus?: string;
        presence?: 'online' | 'offline';
        tags?: {
          /**
           * 24 hexadecimal digits
           */
          _id: string;
          tag: string;
          color?: string;
          attributes?: {
            [k: string]: unknown;
          };
        }[];
        permissions?: string[];
        isAuthenticated?: boolean;
        id_user: {
          /**
           * 24 hexadecimal digits
           */
          _id: string;
          firstname?: string;
          lastname?: string;
          email?: string;
          emailverified?: boolean;
          /**
           * ISO 8601, UTC
           */
          createdAt?: string;
          /**
           * ISO 8601, UTC
           */
          updatedAt?: string;
        };
      }[];
      participatingAgents: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        firstname?: string;
        lastname?: string;
        email: string;
        emailverified: boolean;
        /**
         * ISO 8601, UTC
         */
        createdAt: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt: string;
      }[];
      smartAssignment: boolean;
      workingStatus?: string;
      priority: string;
      followers: string[];
      tags: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        tag: string;
        color?: string;
        attributes?: {
          [k: string]: unknown;
        };
      }[];
      notes: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        text: string;
        createdBy: string;
        attributes?: {
          [k: string]: unknown;
        };
        /**
         * ISO 8601, UTC
         */
        createdAt: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt: string;
      }[];
      auto_close?: number;
      snapshot: {
        lead?: Lead;
        /**
         * The requester at the time when the conversation was opened
         */
        requester?: {
          /**
           * 24 hexadecimal digits
           */
          _id: string;
          role: string;
          /**
           * 1: teammate, 2: visitor
           */
          roleType?: number;
          user_available?: boolean;
          status?: 'active' | 'disabled';
          trashed?: boolean;
          attributes?: {
            [k: string]: unknown;
          };
          settings?: {
            [k: string]: unknown;
          };
          max_assigned_chat?: number;
          number_assigned_requests?: number;
          /**
           * ISO 8601, UTC
           */
          last_login_at?: string;
          createdBy?: string;
          /**
           * ISO 8601, UTC
           */
          createdAt?: string;
          /**
           * ISO 8601, UTC
           */
          updatedAt?: string;
          __v?: number;
          /**
           * 24 hexadecimal digits
           */
          id?: string;
          id_project: string;
          /**
           * The visitor's id; absent for people with an account
           */
          uuid_user?: string;
          profileStatus?: string;
          presence?: unknown;
          tags?: {
            /**
             * 24 hexadecimal digits
             */
            _id: string;
            tag: string;
            color?: string;
            attributes?: {
              [k: string]: unknown;
            };
          }[];
          permissions?: string[];
          isAuthenticated?: boolean;
          id_user?: {
            /**
             * 24 hexadecimal digits
             */
            _id: string;
            firstname?: string;
            lastname?: string;
            email?: string;
            emailverified?: boolean;
            /**
             * ISO 8601, UTC
             */
            createdAt?: string;
            /**
             * ISO 8601, UTC
             */
            updatedAt?: string;
          };
        };
        department?: {
          [k: string]: unknown;
        };
        /**
         * Same as `agents` of the conversation
         */
        agents?: {
          /**
           * 24 hexadecimal digits
           */
          _id: string;
          role: string;
          /**
           * 1: teammate, 2: visitor
           */
          roleType?: number;
          user_available?: boolean;
          status?: 'active' | 'disabled';
          trashed?: boolean;
          max_assigned_chat?: number;
          number_assigned_requests?: number;
          /**
           * ISO 8601, UTC
           */
          last_login_at?: string;
          createdBy?: string;
          /**
           * ISO 8601, UTC
           */
          createdAt?: string;
          /**
           * ISO 8601, UTC
           */
          updatedAt?: string;
          __v?: number;
          /**
           * 24 hexadecimal digits
           */
          id?: string;
          id_project?: string;
          /**
           * The visitor's id; absent for people with an account
           */
          uuid_user?: string;
          profileStatus?: string;
          presence?: 'online' | 'offline';
          tags?: {
            /**
             * 24 hexadecimal digits
             */
            _id: string;
            tag: string;
            color?: string;
            attributes?: {
              [k: string]: unknown;
            };
          }[];
          permissions?: string[];
          isAuthenticated?: boolean;
          id_user: {
            /**
             * 24 hexadecimal digits
             */
            _id: string;
            firstname?: string;
            lastname?: string;
            email?: string;
            emailverified?: boolean;
            /**
             * ISO 8601, UTC
             */
            createdAt?: string;
            /**
             * ISO 8601, UTC
             */
            updatedAt?: string;
          };
        }[];
        availableAgentsCount?: number;
      };
      attributes?: {
        [k: string]: unknown;
      };
      replaced_bot_root_id: string;
    };
  };
  /**
   * Explain the latest routing decisions about a conversation, oldest first: why each agent was or was not selected
   */
  'GET /v3/{project_id}/requests/{request_id}/routing': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: {
      request_id: string;
      decisions: RoutingDecision[];
    };
  };
  /**
   * Merge attributes into a conversation; reserved keys are ignored
   */
  'PATCH /v3/{project_id}/requests/{request_id}/attributes': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      [k: string]: _Schema0;
    };
    reply: Conversation;
  };
  /**
   * Rate your own conversation; bots and subscriptions can rate any conversation
   */
  'PATCH /v3/{project_id}/requests/{request_id}/rating': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      rating?: number | null;
      rate?: number | null;
      rating_message?: string | null;
      rate_message?: string | null;
    };
    reply: Conversation | VisitorConversation;
  };
  /**
   * Add a participant to a conversation. Adding a teammate removes bots that participate
   */
  'POST /v3/{project_id}/requests/{request_id}/participants': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      member: string;
    };
    reply: Conversation;
  };
  /**
   * Replace the participants of a conversation. In the channels `email` and `form`, only one participant can be set, and only while no agent participates
   */
  'PUT /v3/{project_id}/requests/{request_id}/participants': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    /**
     * @maxItems 50
     */
    body: string[];
    reply: Conversation;
  };
  /**
   * Remove a participant from a conversation
   */
  'DELETE /v3/{project_id}/requests/{request_id}/participants/{participant_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
      /**
       * Id of a user, or `bot_` followed by the id of a bot
       */
      participant_id: string;
    };
    reply: Conversation;
  };
  /**
   * Add a follower to a conversation
   */
  'POST /v3/{project_id}/requests/{request_id}/followers': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      member: string;
    };
    reply: Conversation;
  };
  /**
   * Replace the followers of a conversation
   */
  'PUT /v3/{project_id}/requests/{request_id}/followers': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    /**
     * @maxItems 100
     */
    body: string[];
    reply: Conversation;
  };
  /**
   * Remove a follower from a conversation
   */
  'DELETE /v3/{project_id}/requests/{request_id}/followers/{follower_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
      /**
       * Id of the teammate; 24 hexadecimal digits
       */
      follower_id: string;
    };
    reply: Conversation;
  };
  /**
   * Add a note, visible to the team only, to a conversation. Agents must participate in the conversation
   */
  'POST /v3/{project_id}/requests/{request_id}/notes': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      text: string;
    };
    reply: Conversation;
  };
  /**
   * Delete a note. Agents must participate in the conversation
   */
  'DELETE /v3/{project_id}/requests/{request_id}/notes/{note_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
      /**
       * Id of the note; 24 hexadecimal digits
       */
      note_id: string;
    };
    reply: Conversation;
  };
  /**
   * Add tags to a conversation. A tag is not added if the conversation already has a tag with the same name
   */
  'PUT /v3/{project_id}/requests/{request_id}/tag': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    /**
     * @maxItems 100
     */
    body: {
      tag: string;
      color?: string | null;
    }[];
    reply: Conversation;
  };
  /**
   * Remove a tag from a conversation. `tag_id` is the `_id` that the tag has in the conversation
   */
  'DELETE /v3/{project_id}/requests/{request_id}/tag/{tag_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
      /**
       * Id of the tag; 24 hexadecimal digits
       */
      tag_id: string;
    };
    reply: Conversation;
  };
  /**
   * Export the matching conversations as CSV, at most 100,000 rows. Agents export only conversations that they can list
   */
  'GET /v3/{project_id}/requests/csv': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Default `createdAt`
       */
      sortField?:
        | 'createdAt'
        | 'updatedAt'
        | 'assigned_at'
        | 'first_response_at'
        | 'closed_at'
        | 'ticket_id'
        | 'priority'
        | 'status'
        | 'waiting_time'
        | 'duration';
      /**
       * Former name of `sortField`
       */
      sort?:
        | 'createdAt'
        | 'updatedAt'
        | 'assigned_at'
        | 'first_response_at'
        | 'closed_at'
        | 'ticket_id'
        | 'priority'
        | 'status'
        | 'waiting_time'
        | 'duration';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Comma-separated statuses, or `all`; default: all except 1000 (closed)
       */
      status?: string;
      /**
       * First day. Format: DD/MM/YYYY
       */
      start_date?: string;
      /**
       * Last day. Format: DD/MM/YYYY
       */
      end_date?: string;
      /**
       * Start of the range, to the second; ignored if a day is given. Format: DD/MM/YYYY HH:mm:ss
       */
      start_date_time?: string;
      /**
       * End of the range (inclusive), to the second; ignored if a day is given. Format: DD/MM/YYYY HH:mm:ss
       */
      end_date_time?: string;
      /**
       * Time zone of the dates; default: the time zone of the project, or UTC
       */
      timezone?: string;
      /**
       * Field to which the dates apply; default `createdAt`
       */
      filterRangeField?: 'createdAt' | 'updatedAt' | 'assigned_at' | 'first_response_at' | 'closed_at';
      /**
       * Id of the department
       */
      dept_id?: string;
      /**
       * `_id` of the lead
       */
      lead?: string;
      /**
       * `_id` of a segment that contains the lead
       */
      segment?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Whether a bot participates
       */
      hasbot?: boolean;
      /**
       * Name of a tag of the conversation
       */
      tags?: string;
      /**
       * Email address of the lead
       */
      requester_email?: string;
      /**
       * Consecutive digits that the phone number contains; separators are ignored
       */
      phone?: string;
      /**
       * Ticket number
       */
      ticket_id?: number;
      /**
       * `true`: include conversations whose visitor has not written yet
       */
      preflight?: boolean;
      /**
       * Whether the conversation is assigned automatically
       */
      smartAssignment?: boolean;
      /**
       * `offline` (email and form), `online` (all others), or the name of a channel
       */
      channel?: string;
      /**
       * Exact priority
       */
      priority?: string;
      /**
       * Working status to exclude
       */
      'workingStatus[ne]'?: string;
      /**
       * Comma-separated working statuses to include
       */
      'workingStatus[in]'?: string;
      /**
       * Comma-separated working statuses to exclude
       */
      'workingStatus[nin]'?: string;
      /**
       * Routing of the department at the time of the assignment
       */
      snap_department_routing?: string;
      /**
       * Whether the department was the default department at the time of the assignment
       */
      snap_department_default?: boolean;
      /**
       * Id of the bot of the department at the time of the assignment
       */
      snap_department_id_bot?: string;
      /**
       * Whether the department had a bot at the time of the assignment
       */
      snap_department_id_bot_exists?: boolean;
      /**
       * `lead_id` of the lead
       */
      snap_lead_lead_id?: string;
      /**
       * Alias of `requester_email`
       */
      snap_lead_email?: string;
      /**
       * Exact value of `attributes.caller_phone`
       */
      caller?: string;
      /**
       * Exact value of `attributes.called_phone`
       */
      called?: string;
      /**
       * Exact value of `attributes.call_id`
       */
      call_id?: string;
      /**
       * Duration of the conversation in minutes; ignored without `duration_op`
       */
      duration?: number;
      /**
       * `gt`: conversations of at least `duration`; `lt`: of at most `duration`
       */
      duration_op?: 'gt' | 'lt';
      /**
       * `true`: conversations that all agents of the department have left
       */
      abandoned?: boolean;
      /**
       * `true`: conversations with a rating
       */
      rated?: boolean;
      /**
       * `false`: exclude test conversations, in which a bot is tried out before its publication
       */
      draft?: boolean;
      /**
       * Words that must all occur in the conversation or its messages; quoted words form a phrase. The matches are grouped by age, newest group first; each group is sorted by relevance
       */
      full_text?: string;
      /**
       * `true`: sort by date, newest first, and return no score
       */
      no_textscore?: boolean;
      /**
       * Exact country, region, city, street address, postal code or IP address
       */
      location?: string;
      /**
       * Any value: only the conversations that the caller would see as an agent
       */
      mine?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * List the changes to a conversation and who made them, oldest first. Changes are kept for `ACTIVITY_TTL_SECONDS`
   */
  'GET /v3/{project_id}/requests/{request_id}/history': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40, at most 1000
       */
      limit?: number;
    };
    reply: {
      perPage: number;
      count: number;
      history: ConversationChange[];
    };
  };
  /**
   * Find which of the caller's projects contains a conversation
   */
  'GET /v3/requests_util/lookup/id_project/{request_id}': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: {
      id_project: string;
    };
  };
  /**
   * Get a conversation with its lead, department and attributes as variables for bots
   */
  'GET /v3/{project_id}/requests/{request_id}/chatbot/parameters': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: {
      [k: string]: unknown;
    };
  };
  /**
   * Turn a received email into a conversation, or into a message of the conversation that it answers
   */
  'POST /v3/{project_id}/emails/inbound': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Sender of the SMTP session (`MAIL FROM`)
       */
      sender?: string;
      /**
       * Recipients of the SMTP session (`RCPT TO`), separated by commas
       */
      recipient?: string;
      /**
       * Sender and recipients as JSON: `{"from": "…", "to": ["…"]}`
       */
      envelope?: string;
    };
    body: Uint8Array | string;
    reply: {
      /**
       * `conversation`: the email opened a conversation. `message`: it was added to a conversation. `duplicate`: it had already been received. `returned`: it reports that an email of the project was not delivered. `ignored`: see `reason`
       */
      result: 'conversation' | 'message' | 'duplicate' | 'returned' | 'ignored';
      /**
       * `automatic`: a program sent the email. `own`: this system sent it. `banned`: the sender is banned
       */
      reason?: 'automatic' | 'own' | 'banned';
      request_id?: string;
      message_id?: string;
    };
  };
  /**
   * Send a test email through an SMTP server and return the response of the server
   */
  'POST /v3/{project_id}/emails/test/send': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      to: string;
      config?: {
        host?: string | null;
        port?: number | null;
        secure?: boolean | null;
        user?: string | null;
        pass?: string | null;
      } | null;
    };
    reply: {
      /**
       * Why the email was not sent
       */
      error: {
        code: string;
        message: string;
        responseCode?: number;
      } | null;
      /**
       * Response of the server
       */
      response: {
        accepted: string[];
        rejected: string[];
        response: string;
        messageId: string;
      } | null;
    };
  };
  /**
   * Get the built-in HTML, with Handlebars expressions, of one of these email templates: assignedRequest, pooledRequest, assignedEmailMessage, pooledEmailMessage, newMessageFollower, newMessage, ticket, sendTranscript, emailDirect
   */
  'GET /v3/{project_id}/emails/templates/{key}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Name of the template, for example `assignedRequest`
       */
      key: string;
    };
    reply: {
      template: string;
    };
  };
  /**
   * List the blocked addresses, newest first. An email to each of them bounced, so no more emails are sent to them
   */
  'GET /v3/{project_id}/emails/blocked': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Maximum number of addresses
       */
      limit?: number;
    };
    reply: MailBlock[];
  };
  /**
   * Unblock an address, so that emails can be sent to it again
   */
  'DELETE /v3/{project_id}/emails/blocked/{block_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the blocked address
       */
      block_id: string;
    };
    reply: MailBlock;
  };
  /**
   * Send an email to the lead of a conversation. The reply is `no queued` if the lead has no email address
   */
  'POST /v3/{project_id}/requests/{request_id}/email/send': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    body: {
      text: string;
      subject?: string | null;
      /**
       * Reply-To address
       */
      replyto?: string | null;
    };
    reply:
      | {
          queued: true;
        }
      | {
          'no queued': true;
        };
  };
  /**
   * Send an email to an address, to a group (by name) or, if `to` starts with `@`, to the owners and admins
   */
  'POST /v3/{project_id}/emails/internal/send': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      to: string;
      subject?: string | null;
      text: string;
      /**
       * Reply-To address
       */
      replyto?: string | null;
      /**
       * `request_id` of the related conversation
       */
      request_id?: string | null;
    };
    reply: {
      queued: true;
    };
  };
  /**
   * Store an asset: a file that belongs to the project rather than to a chat. Images get a thumbnail
   */
  'POST /v3/{project_id}/files/assets': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Seconds until the file expires. If absent, 0 or negative, the file never expires
       */
      expiration?: number;
    };
    body: Uint8Array | string;
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
      /**
       * Path of the thumbnail of an image, URL-encoded
       */
      thumbnail?: string;
    };
  };
  /**
   * Store a file of a chat; it expires after `CHAT_FILE_EXPIRATION_TIME`
   */
  'POST /v3/{project_id}/files/chat': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: Uint8Array | string;
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
    };
  };
  /**
   * Store the avatar of the caller or of a bot, replacing the previous avatar
   */
  'POST /v3/{project_id}/files/users/photo': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Id of a bot whose project the caller administers
       */
      bot_id?: string;
    };
    body: Uint8Array | string;
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
      /**
       * Path of the thumbnail of an image, URL-encoded
       */
      thumbnail?: string;
    };
  };
  /**
   * Read a file or its thumbnail
   */
  'GET /v3/files': {
    query: {
      /**
       * `filename` or `thumbnail` from the reply to an upload
       */
      path: string;
      /**
       * Any value: the file is sent as an attachment
       */
      as_attachment?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Delete a file and its thumbnail. Agents can delete the chat files of their projects, admins all files of their projects, and accounts their own files
   */
  'DELETE /v3/files': {
    query: {
      /**
       * `filename` or `thumbnail` from the reply to an upload
       */
      path: string;
    };
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
    };
  };
  /**
   * Download a file under its original name
   */
  'GET /v3/files/download': {
    query: {
      /**
       * `filename` or `thumbnail` from the reply to an upload
       */
      path: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Read an image (legacy clients)
   */
  'GET /v3/images': {
    query: {
      /**
       * `filename` or `thumbnail` from the reply to an upload
       */
      path: string;
      /**
       * Any value: the file is sent as an attachment
       */
      as_attachment?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Delete a file of the project and its thumbnail. Agents can delete chat files, and admins all files
   */
  'DELETE /v3/{project_id}/files': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query: {
      /**
       * `filename` or `thumbnail` from the reply to an upload
       */
      path: string;
    };
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
    };
  };
  /**
   * Delete an image of the caller (legacy clients)
   */
  'DELETE /v3/images/users': {
    query: {
      /**
       * `filename` or `thumbnail` from the reply to an upload
       */
      path: string;
    };
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
    };
  };
  /**
   * Store an image for the caller (legacy clients)
   */
  'POST /v3/images/users': {
    body: Uint8Array | string;
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
      /**
       * Path of the thumbnail of an image, URL-encoded
       */
      thumbnail?: string;
    };
  };
  /**
   * Store an image for the caller under the name of the uploaded file (legacy clients)
   */
  'PUT /v3/images/users': {
    body: Uint8Array | string;
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
      /**
       * Path of the thumbnail of an image, URL-encoded
       */
      thumbnail?: string;
    };
  };
  /**
   * Store a file for the caller (legacy clients); it expires like a chat file
   */
  'POST /v3/files/users': {
    body: Uint8Array | string;
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
    };
  };
  /**
   * Store a file without an owner (legacy clients); it expires like a chat file
   */
  'POST /v3/files/public': {
    body: Uint8Array | string;
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
    };
  };
  /**
   * Store an image without an owner (legacy clients); it expires like a chat file
   */
  'POST /v3/images/public': {
    body: Uint8Array | string;
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
      /**
       * Path of the thumbnail of an image, URL-encoded
       */
      thumbnail?: string;
    };
  };
  /**
   * Store the avatar of the caller or of a bot (legacy clients)
   */
  'PUT /v3/images/users/photo': {
    query?: {
      /**
       * Id of a bot whose project the caller administers
       */
      bot_id?: string;
      /**
       * `true`: replaces an existing avatar
       */
      force?: boolean;
    };
    body: Uint8Array | string;
    reply: {
      message: string;
      /**
       * Path of the file, URL-encoded
       */
      filename: string;
      /**
       * Path of the thumbnail of an image, URL-encoded
       */
      thumbnail?: string;
    };
  };
  /**
   * Export the leads as CSV, at most 100,000 rows, newest first
   */
  'GET /v3/{project_id}/leads/csv': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'fullname' | 'email';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'fullname' | 'email';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Complete email address of the member or lead
       */
      email?: string;
      /**
       * Beginnings of words in the full name or the email address
       */
      full_text?: string;
      /**
       * Any value: only leads with an email address
       */
      with_email?: string;
      /**
       * Any value: only leads with a full name
       */
      with_fullname?: string;
      /**
       * Only leads with this tag
       */
      tags?: string;
      /**
       * `_id` of a segment: only leads that it contains
       */
      segment?: string;
      /**
       * `true`: include the attributes as JSON
       */
      attributes?: boolean;
    };
    reply: Uint8Array | string;
  };
  /**
   * Import leads from CSV, one per row. A row with the `lead_id` or email address of an existing lead updates that lead
   */
  'POST /v3/{project_id}/leads/csv': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * `true`: check the file without storing leads
       */
      dry_run?: boolean;
      /**
       * JSON `{"column": "field"}` for columns that are not named after a field; `null` ignores a column
       */
      mapping?: string;
    };
    body: Uint8Array | string;
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      name?: string;
      /**
       * Size of the file in bytes
       */
      size: number;
      /**
       * Bytes of the file processed so far
       */
      position: number;
      separator: string;
      columns: {
        column: string;
        /**
         * The field of the lead; absent for an ignored column
         */
        field?: string;
      }[];
      /**
       * `true`: nothing is stored
       */
      dry_run: boolean;
      status: 'queued' | 'running' | 'done' | 'failed';
      /**
       * Rows read so far, excluding the header
       */
      rows: number;
      created: number;
      updated: number;
      unchanged: number;
      /**
       * Rejected rows
       */
      failed: number;
      error?: {
        code: string;
        message: string;
      };
      /**
       * ISO 8601, UTC
       */
      finishedAt?: string;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      /**
       * The first rows that were skipped
       */
      errors: LeadImportFault[];
    };
  };
  /**
   * List the lead imports of the last month, newest first
   */
  'GET /v3/{project_id}/leads/imports': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
    };
    reply: LeadImport[];
  };
  /**
   * Get the progress of an import and the first rows that it skipped
   */
  'GET /v3/{project_id}/leads/imports/{import_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the import of leads; 24 hexadecimal digits
       */
      import_id: string;
    };
    reply: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      id_project: string;
      name?: string;
      /**
       * Size of the file in bytes
       */
      size: number;
      /**
       * Bytes of the file processed so far
       */
      position: number;
      separator: string;
      columns: {
        column: string;
        /**
         * The field of the lead; absent for an ignored column
         */
        field?: string;
      }[];
      /**
       * `true`: nothing is stored
       */
      dry_run: boolean;
      status: 'queued' | 'running' | 'done' | 'failed';
      /**
       * Rows read so far, excluding the header
       */
      rows: number;
      created: number;
      updated: number;
      unchanged: number;
      /**
       * Rejected rows
       */
      failed: number;
      error?: {
        code: string;
        message: string;
      };
      /**
       * ISO 8601, UTC
       */
      finishedAt?: string;
      createdBy: string;
      /**
       * ISO 8601, UTC
       */
      createdAt: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt: string;
      __v: number;
      /**
       * The first rows that were skipped
       */
      errors: LeadImportFault[];
    };
  };
  /**
   * Export the rows that an import skipped, with the reasons, as CSV; at most 10,000 rows
   */
  'GET /v3/{project_id}/leads/imports/{import_id}/errors': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the import of leads; 24 hexadecimal digits
       */
      import_id: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Find the newest lead with the given `lead_id`, email address or phone number
   */
  'GET /v3/{project_id}/leads/lookup': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * `lead_id` of the lead or of a lead that was merged into it
       */
      lead_id?: string;
      /**
       * Complete email address of the member or lead
       */
      email?: string;
      /**
       * Phone number in any format
       */
      phone?: string;
    };
    reply: Lead;
  };
  /**
   * Merge another lead into this lead. The other lead is deleted; a job then moves its conversations to this lead
   */
  'POST /v3/{project_id}/leads/{id}/merge': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      /**
       * `_id` of the lead to merge into this lead
       */
      lead: string;
    };
    reply: Lead;
  };
  /**
   * List the leads of a project, newest first
   */
  'GET /v3/{project_id}/leads': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'fullname' | 'email';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'fullname' | 'email';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * `next_cursor` of the previous page; replaces `page`
       */
      cursor?: string;
      /**
       * `false`: skip counting; `count` is 0
       */
      count?: boolean;
      /**
       * Complete email address of the member or lead
       */
      email?: string;
      /**
       * Beginnings of words in the full name or the email address
       */
      full_text?: string;
      /**
       * Any value: only leads with an email address
       */
      with_email?: string;
      /**
       * Any value: only leads with a full name
       */
      with_fullname?: string;
      /**
       * Only leads with this tag
       */
      tags?: string;
      /**
       * `_id` of a segment: only leads that it contains
       */
      segment?: string;
      /**
       * Default 100 (normal); 1000: deleted
       */
      status?: number;
    };
    reply: {
      perPage: number;
      count: number;
      /**
       * `cursor` of the next page, which may be empty; null if there is none
       */
      next_cursor: string | null;
      leads: Lead[];
    };
  };
  /**
   * Create a lead
   */
  'POST /v3/{project_id}/leads': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      lead_id?: string | null;
      fullname?: string | null;
      email?: string | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: Lead;
  };
  /**
   * Get a lead
   */
  'GET /v3/{project_id}/leads/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: Lead;
  };
  /**
   * Update a lead; absent and null fields are unchanged
   */
  'PUT /v3/{project_id}/leads/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      fullname?: string | null;
      email?: string | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      status?: (50 | 100 | 1000) | null;
      /**
       * Stored in international format if it has a country code, otherwise only its digits; a text without digits is stored unchanged
       */
      phone?: string | null;
      company?: string | null;
      note?: string | null;
      streetAddress?: string | null;
      city?: string | null;
      region?: string | null;
      zipcode?: string | null;
      country?: string | null;
      tags?: string[] | null;
    };
    reply: Lead;
  };
  /**
   * Delete a lead; its record is kept with status 1000
   */
  'DELETE /v3/{project_id}/leads/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: Lead;
  };
  /**
   * Add tags to a lead; existing tags are unchanged
   */
  'PUT /v3/{project_id}/leads/{id}/tag': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    /**
     * @maxItems 100
     */
    body: string[];
    reply: Lead;
  };
  /**
   * Remove a tag from a lead
   */
  'DELETE /v3/{project_id}/leads/{id}/tag/{tag}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
      /**
       * Name of the tag
       */
      tag: string;
    };
    reply: Lead;
  };
  /**
   * Merge attributes into a lead
   */
  'PATCH /v3/{project_id}/leads/{id}/attributes': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      [k: string]: _Schema0;
    };
    reply: Lead;
  };
  /**
   * Merge properties into a lead
   */
  'PATCH /v3/{project_id}/leads/{id}/properties': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      [k: string]: _Schema0;
    };
    reply: Lead;
  };
  /**
   * Delete a lead permanently
   */
  'DELETE /v3/{project_id}/leads/{id}/physical': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: {
      n: number;
      ok: number;
      deletedCount: number;
    };
  };
  /**
   * List the lead properties, newest first
   */
  'GET /v3/{project_id}/properties': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'name' | 'label';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'name' | 'label';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Exact name
       */
      name?: string;
      /**
       * Default 100 (active); 1000: deleted
       */
      status?: number;
    };
    reply: Property[];
  };
  /**
   * Create a lead property
   */
  'POST /v3/{project_id}/properties': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      label: string;
      /**
       * Key in the `properties` of leads
       */
      name: string;
      /**
       * Default `text`
       */
      type?: string | null;
      status?: (100 | 1000) | null;
    };
    reply: Property;
  };
  /**
   * Get a lead property
   */
  'GET /v3/{project_id}/properties/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: Property;
  };
  /**
   * Update a lead property; absent and null fields are unchanged
   */
  'PUT /v3/{project_id}/properties/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      label?: string | null;
      name?: string | null;
      /**
       * Default `text`
       */
      type?: string | null;
      status?: (100 | 1000) | null;
    };
    reply: Property;
  };
  /**
   * Delete a lead property; its record is kept with status 1000, and leads keep their values
   */
  'DELETE /v3/{project_id}/properties/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: Property;
  };
  /**
   * Delete a lead property permanently
   */
  'DELETE /v3/{project_id}/properties/{id}/physical': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: {
      n: number;
      ok: number;
      deletedCount: number;
    };
  };
  /**
   * List the segments of a project, newest first
   */
  'GET /v3/{project_id}/segments': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'name';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'name';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
    };
    reply: {
      perPage: number;
      count: number;
      segments: Segment[];
    };
  };
  /**
   * Create a segment: the leads that match all or any of its filters
   */
  'POST /v3/{project_id}/segments': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Whether a lead must match `all` filters (default) or `any`
       */
      match?: ('all' | 'any') | null;
      filters?:
        | {
            field: string;
            operator: '=' | '!=' | '>' | '>=' | 'starts with' | 'contains' | 'is null' | 'is not null';
            value?: _Schema1;
          }[]
        | null;
      name: string;
    };
    reply: Segment;
  };
  /**
   * Get a segment
   */
  'GET /v3/{project_id}/segments/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: Segment;
  };
  /**
   * Update a segment; absent and null fields are unchanged
   */
  'PUT /v3/{project_id}/segments/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    body: {
      /**
       * Whether a lead must match `all` filters (default) or `any`
       */
      match?: ('all' | 'any') | null;
      filters?:
        | {
            field: string;
            operator: '=' | '!=' | '>' | '>=' | 'starts with' | 'contains' | 'is null' | 'is not null';
            value?: _Schema1;
          }[]
        | null;
      name?: string | null;
    };
    reply: Segment;
  };
  /**
   * Delete a segment; its record is kept with status 0
   */
  'DELETE /v3/{project_id}/segments/{id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the record
       */
      id: string;
    };
    reply: Segment;
  };
  /**
   * Count the leads that match filters, without saving the filters
   */
  'POST /v3/{project_id}/segments/preview': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Whether a lead must match `all` filters (default) or `any`
       */
      match?: ('all' | 'any') | null;
      filters?:
        | {
            field: string;
            operator: '=' | '!=' | '>' | '>=' | 'starts with' | 'contains' | 'is null' | 'is not null';
            value?: _Schema1;
          }[]
        | null;
    };
    reply: {
      count: number;
    };
  };
  /**
   * Get all labels of a project, or an empty object if it uses the built-in labels
   */
  'GET /v3/{project_id}/labels': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: Labels | {};
  };
  /**
   * Replace the labels of a language
   */
  'POST /v3/{project_id}/labels': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Language code, case-sensitive; the codes of built-in languages are upper case
       */
      lang: string;
      data: {
        [k: string]: string | string[];
      };
      category?: string | null;
      /**
       * Whether this is the default language; unchanged if absent. The first language is always the default
       */
      default?: boolean | null;
    };
    reply: LabelEntry;
  };
  /**
   * Delete all labels of a project; clients show the built-in labels again
   */
  'DELETE /v3/{project_id}/labels': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: {
      n: number;
      ok: number;
      deletedCount: number;
    };
  };
  /**
   * List the built-in labels in all languages
   */
  'GET /v3/{project_id}/labels/default': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: BuiltInLabels[];
  };
  /**
   * Get the built-in labels of a language, or an empty object for an unknown language
   */
  'GET /v3/{project_id}/labels/default/{lang}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Language code, as stored; the codes of built-in languages are uppercase
       */
      lang: string;
    };
    reply: BuiltInLabels | {};
  };
  /**
   * Get the labels of a language, falling back to the default language and then to English
   */
  'GET /v3/{project_id}/labels/{lang}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Language code, as stored; the codes of built-in languages are uppercase
       */
      lang: string;
    };
    reply: LabelEntry;
  };
  /**
   * Delete the labels of a language and get the labels that clients then show for this language
   */
  'DELETE /v3/{project_id}/labels/{lang}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Language code, as stored; the codes of built-in languages are uppercase
       */
      lang: string;
    };
    reply: LabelEntry;
  };
  /**
   * Copy the built-in labels of a language into the project
   */
  'POST /v3/{project_id}/labels/default/clone': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      /**
       * Language code, case-sensitive; the codes of built-in languages are upper case
       */
      lang: string;
    };
    reply: Labels;
  };
  /**
   * Set the default language
   */
  'PATCH /v3/{project_id}/labels/{lang}/default': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Language code, as stored; the codes of built-in languages are uppercase
       */
      lang: string;
    };
    reply: LabelEntry;
  };
  /**
   * List the shared canned responses and your own
   */
  'GET /v3/{project_id}/canned': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 1000, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'title';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'title';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
    };
    reply: CannedResponse[];
  };
  /**
   * Create a canned response
   */
  'POST /v3/{project_id}/canned': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      title?: string | null;
      /**
       * `$recipient_name` and `$agent_name` are replaced with the names of the recipient and the agent
       */
      text: string;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
      /**
       * `true`: share the response with the team. Responses by admins and owners are always shared
       */
      shared?: boolean | null;
    };
    reply: CannedResponse;
  };
  /**
   * Get a canned response that is shared or your own
   */
  'GET /v3/{project_id}/canned/{canned_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the canned response; 24 hexadecimal digits
       */
      canned_id: string;
    };
    reply: CannedResponse;
  };
  /**
   * Update a canned response. Agents can update only their own; admins and owners can also update shared ones
   */
  'PUT /v3/{project_id}/canned/{canned_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the canned response; 24 hexadecimal digits
       */
      canned_id: string;
    };
    body: {
      title?: string | null;
      text?: string | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: CannedResponse;
  };
  /**
   * Trash a canned response
   */
  'DELETE /v3/{project_id}/canned/{canned_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the canned response; 24 hexadecimal digits
       */
      canned_id: string;
    };
    reply: CannedResponse;
  };
  /**
   * Render a canned response for a conversation, with the names of the agent and the recipient
   */
  'GET /v3/{project_id}/canned/{canned_id}/text': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the canned response; 24 hexadecimal digits
       */
      canned_id: string;
    };
    query: {
      /**
       * `request_id` of the conversation
       */
      request_id: string;
    };
    reply: {
      text: string;
    };
  };
  /**
   * Delete a canned response permanently
   */
  'DELETE /v3/{project_id}/canned/{canned_id}/physical': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the canned response; 24 hexadecimal digits
       */
      canned_id: string;
    };
    reply: {
      n: number;
      ok: number;
      deletedCount: number;
    };
  };
  /**
   * List the tags of the catalogue
   */
  'GET /v3/{project_id}/tags': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40, at most 1000
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt' | 'updatedAt' | 'tag';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt' | 'updatedAt' | 'tag';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
    };
    reply: Tag[];
  };
  /**
   * Add a tag to the catalogue. An existing tag with the same name is returned unchanged
   */
  'POST /v3/{project_id}/tags': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    body: {
      tag: string;
      color?: string | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: Tag;
  };
  /**
   * Get a tag of the catalogue
   */
  'GET /v3/{project_id}/tags/{tag_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the tag; 24 hexadecimal digits
       */
      tag_id: string;
    };
    reply: Tag;
  };
  /**
   * Update a tag of the catalogue; tags of conversations are unchanged
   */
  'PUT /v3/{project_id}/tags/{tag_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the tag; 24 hexadecimal digits
       */
      tag_id: string;
    };
    body: {
      tag?: string | null;
      color?: string | null;
      attributes?: {
        [k: string]: _Schema0;
      } | null;
    };
    reply: Tag;
  };
  /**
   * Delete a tag from the catalogue; tags of conversations are unchanged
   */
  'DELETE /v3/{project_id}/tags/{tag_id}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the tag; 24 hexadecimal digits
       */
      tag_id: string;
    };
    reply: {
      n: number;
      ok: number;
      deletedCount: number;
    };
  };
  /**
   * List the activities of a project. They are kept for `ACTIVITY_TTL_SECONDS`
   */
  'GET /v3/{project_id}/activities': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Page number, starting at 0
       */
      page?: number;
      /**
       * Default 40, at most 100, or at most 1000 with `chart=true`
       */
      limit?: number;
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * `true`: allow a `limit` of up to 1000, so that the client can draw a chart
       */
      chart?: boolean;
      /**
       * Id of a user: only activities that involve this user
       */
      agent_id?: string;
      /**
       * Comma-separated verbs, such as `REQUEST_CREATE`: only activities with one of these verbs
       */
      activities?: string;
      /**
       * First day. Format: DD/MM/YYYY
       */
      start_date?: string;
      /**
       * Last day. Format: DD/MM/YYYY
       */
      end_date?: string;
    };
    reply: {
      perPage: number;
      count: number;
      activities: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        id_project: string;
        actor: Actor;
        verb: string;
        actionObj: {
          [k: string]: unknown;
        };
        target: {
          type: string;
          id: string;
          object: {
            [k: string]: unknown;
          };
        };
        related?: {
          type: string;
          id: string;
          name?: string;
          role: string;
        };
        involvedUserIds: string[];
        /**
         * ISO 8601, UTC
         */
        createdAt: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt: string;
        /**
         * The activity as a sentence
         */
        message: string;
      }[];
      chart?: true;
      limitWarning?: string;
    };
  };
  /**
   * Export the activities of a project as CSV, at most 100,000 rows
   */
  'GET /v3/{project_id}/activities/csv': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * Default `createdAt`
       */
      sortField?: 'createdAt';
      /**
       * Former name of `sortField`
       */
      sort?: 'createdAt';
      /**
       * 1 ascending, -1 descending (default)
       */
      direction?: 1 | -1;
      /**
       * Id of a user: only activities that involve this user
       */
      agent_id?: string;
      /**
       * Comma-separated verbs, such as `REQUEST_CREATE`: only activities with one of these verbs
       */
      activities?: string;
      /**
       * First day. Format: DD/MM/YYYY
       */
      start_date?: string;
      /**
       * Last day. Format: DD/MM/YYYY
       */
      end_date?: string;
      /**
       * Language of `message`: `it` for Italian; any other value means English
       */
      lang?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Create temporary links to the transcripts of a conversation. The links work without credentials
   */
  'GET /v3/{project_id}/requests/{request_id}/transcript-link': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    reply: {
      /**
       * ISO 8601, UTC
       */
      expiresAt: string;
      /**
       * Links by file name; all have the same query string
       */
      links: {
        [k: string]: string;
      };
    };
  };
  /**
   * List the newest messages of a conversation in chronological order
   */
  'GET /v3/public/requests/{request_id}/messages': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Id of the project, from the signed link
       */
      project?: string;
      /**
       * Expiry of the link: Unix time in seconds
       */
      expires?: number;
      /**
       * Signature of the link
       */
      signature?: string;
      /**
       * Maximum number of messages to return: the newest, in chronological order. Default and maximum: 1000
       */
      limit?: number;
      /**
       * `X-Next-Cursor` of the previous page; returns the messages that are older than that page
       */
      cursor?: string;
    };
    reply: PublicMessage[];
  };
  /**
   * Get the transcript of a conversation as html
   */
  'GET /v3/public/requests/{request_id}/messages.html': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Id of the project, from the signed link
       */
      project?: string;
      /**
       * Expiry of the link: Unix time in seconds
       */
      expires?: number;
      /**
       * Signature of the link
       */
      signature?: string;
      /**
       * Time zone of the times; default: the time zone of the project, or UTC
       */
      tz?: string;
      /**
       * Alias of `tz`
       */
      timezone?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Get the transcript of a conversation as csv
   */
  'GET /v3/public/requests/{request_id}/messages.csv': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Id of the project, from the signed link
       */
      project?: string;
      /**
       * Expiry of the link: Unix time in seconds
       */
      expires?: number;
      /**
       * Signature of the link
       */
      signature?: string;
      /**
       * Time zone of the times; default: the time zone of the project, or UTC
       */
      tz?: string;
      /**
       * Alias of `tz`
       */
      timezone?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Get the transcript of a conversation as txt
   */
  'GET /v3/public/requests/{request_id}/messages.txt': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Id of the project, from the signed link
       */
      project?: string;
      /**
       * Expiry of the link: Unix time in seconds
       */
      expires?: number;
      /**
       * Signature of the link
       */
      signature?: string;
      /**
       * Time zone of the times; default: the time zone of the project, or UTC
       */
      tz?: string;
      /**
       * Alias of `tz`
       */
      timezone?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Get the transcript of a conversation as pdf
   */
  'GET /v3/public/requests/{request_id}/messages.pdf': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Id of the project, from the signed link
       */
      project?: string;
      /**
       * Expiry of the link: Unix time in seconds
       */
      expires?: number;
      /**
       * Signature of the link
       */
      signature?: string;
      /**
       * Time zone of the times; default: the time zone of the project, or UTC
       */
      tz?: string;
      /**
       * Alias of `tz`
       */
      timezone?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Get the transcript of a conversation as html; 404 if the transcript has no messages
   */
  'GET /v3/public/requests/{request_id}/messages-user.html': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Id of the project, from the signed link
       */
      project?: string;
      /**
       * Expiry of the link: Unix time in seconds
       */
      expires?: number;
      /**
       * Signature of the link
       */
      signature?: string;
      /**
       * Time zone of the times; default: the time zone of the project, or UTC
       */
      tz?: string;
      /**
       * Alias of `tz`
       */
      timezone?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Get the transcript of a conversation as csv; 404 if the transcript has no messages
   */
  'GET /v3/public/requests/{request_id}/messages-user.csv': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Id of the project, from the signed link
       */
      project?: string;
      /**
       * Expiry of the link: Unix time in seconds
       */
      expires?: number;
      /**
       * Signature of the link
       */
      signature?: string;
      /**
       * Time zone of the times; default: the time zone of the project, or UTC
       */
      tz?: string;
      /**
       * Alias of `tz`
       */
      timezone?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Get the transcript of a conversation as txt; 404 if the transcript has no messages
   */
  'GET /v3/public/requests/{request_id}/messages-user.txt': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Id of the project, from the signed link
       */
      project?: string;
      /**
       * Expiry of the link: Unix time in seconds
       */
      expires?: number;
      /**
       * Signature of the link
       */
      signature?: string;
      /**
       * Time zone of the times; default: the time zone of the project, or UTC
       */
      tz?: string;
      /**
       * Alias of `tz`
       */
      timezone?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Get the transcript of a conversation as pdf; 404 if the transcript has no messages
   */
  'GET /v3/public/requests/{request_id}/messages-user.pdf': {
    path: {
      /**
       * Id of the conversation: any string, unique in its project
       */
      request_id: string;
    };
    query?: {
      /**
       * Id of the project, from the signed link
       */
      project?: string;
      /**
       * Expiry of the link: Unix time in seconds
       */
      expires?: number;
      /**
       * Signature of the link
       */
      signature?: string;
      /**
       * Time zone of the times; default: the time zone of the project, or UTC
       */
      tz?: string;
      /**
       * Alias of `tz`
       */
      timezone?: string;
    };
    reply: Uint8Array | string;
  };
  /**
   * Count the conversations of the last 30 days
   */
  'GET /v3/{project_id}/analytics/requests/count': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      /**
       * Number of records
       */
      totalCount: number;
    }[];
  };
  /**
   * Count the conversations of the last 30 days in which a bot participates
   */
  'GET /v3/{project_id}/analytics/requests/hasBot/count': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      /**
       * Number of records
       */
      totalCount: number;
    }[];
  };
  /**
   * Count the assigned, unassigned and closed conversations of the last 30 days
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/status': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      _id: 'assigned' | 'unassigned' | 'archived';
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the conversations of the last 7 days by day and status
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/status/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 1 to 31
         */
        day: number;
        status: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the conversations of the last 7 days by day
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 1 to 31
         */
        day: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count all conversations by week
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/week': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 0 to 53; weeks start on Sunday, and days before the first Sunday are in week 0
         */
        week: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count all conversations by month
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/month': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the conversations of the last 30 days by hour of the day, latest hour first
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/hours': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      _id: {
        /**
         * 0 to 23
         */
        hour: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the conversations of the last 30 days by weekday and hour, latest hour first
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/dayoftheweek/hours': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      _id: {
        /**
         * 0 to 23
         */
        hour: number;
        /**
         * 1 (Sunday) to 7 (Saturday)
         */
        weekday: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the conversations of the last 7 days by day and by whether a bot participates
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/hasBot/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 1 to 31
         */
        day: number;
        hasBot: boolean;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the conversations of the last 30 days by the web page on which they began
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/sourcePage': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        sourcePage?: string;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the conversations of the last 30 days by department, with their mean waiting time, duration and rating, highest count first
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/department': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        department: string;
      };
      name: string;
      /**
       * Number of records
       */
      count: number;
      /**
       * Number of conversations in which a bot participates
       */
      bots: number;
      /**
       * Milliseconds; null if no conversation has a value
       */
      waiting_time_avg: number | null;
      /**
       * Milliseconds; null if no conversation has a value
       */
      duration_avg: number | null;
      /**
       * Rating from 0 to 5; null if no conversation has a value
       */
      satisfaction_avg: number | null;
    }[];
  };
  /**
   * Count the conversations of the last 30 days by participant, with their mean waiting time, duration and rating, highest count first
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/participant': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        participant: string;
      };
      name: string;
      /**
       * Number of records
       */
      count: number;
      /**
       * Number of conversations in which a bot participates
       */
      bots: number;
      /**
       * Milliseconds; null if no conversation has a value
       */
      waiting_time_avg: number | null;
      /**
       * Milliseconds; null if no conversation has a value
       */
      duration_avg: number | null;
      /**
       * Rating from 0 to 5; null if no conversation has a value
       */
      satisfaction_avg: number | null;
    }[];
  };
  /**
   * Get the mean waiting time of the last 30 days
   */
  'GET /v3/{project_id}/analytics/requests/waiting': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Length of the period before `end` or now, in seconds; default 2592000 (30 days)
       */
      last?: number;
    };
    reply: {
      /**
       * Id of the project
       */
      _id: string;
      /**
       * Milliseconds; null if no conversation has a value
       */
      waiting_time_avg: number | null;
    }[];
  };
  /**
   * Get the mean waiting time of the last 24 hours
   */
  'GET /v3/{project_id}/analytics/requests/waiting/day/last': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      /**
       * Id of the project
       */
      _id: string;
      /**
       * Milliseconds; null if no conversation has a value
       */
      waiting_time_avg: number | null;
    }[];
  };
  /**
   * Get the mean waiting time of the last 7 days by day
   */
  'GET /v3/{project_id}/analytics/requests/waiting/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        /**
         * 1 to 31
         */
        day: number;
        /**
         * 1 to 12
         */
        month: number;
        year: number;
      };
      /**
       * Milliseconds; null if no conversation has a value
       */
      waiting_time_avg: number | null;
    }[];
  };
  /**
   * Get the mean waiting time of all conversations by month
   */
  'GET /v3/{project_id}/analytics/requests/waiting/month': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      _id: {
        /**
         * 1 to 12
         */
        month: number;
        year: number;
      };
      /**
       * Milliseconds; null if no conversation has a value
       */
      waiting_time_avg: number | null;
    }[];
  };
  /**
   * Get percentiles of the waiting time of the last 30 days
   */
  'GET /v3/{project_id}/analytics/requests/waiting/percentiles': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      /**
       * Id of the project
       */
      _id: string;
      /**
       * Number of conversations whose waiting time or duration is known
       */
      count: number;
      /**
       * Milliseconds, with an error of at most 1%
       */
      median: number | null;
      /**
       * Milliseconds, with an error of at most 1%
       */
      p90: number | null;
      /**
       * Milliseconds, with an error of at most 1%
       */
      p99: number | null;
    }[];
  };
  /**
   * Get percentiles of the waiting time of the last 30 days by day
   */
  'GET /v3/{project_id}/analytics/requests/waiting/percentiles/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 1 to 31
         */
        day: number;
      };
      /**
       * Number of conversations whose waiting time or duration is known
       */
      count: number;
      /**
       * Milliseconds, with an error of at most 1%
       */
      median: number | null;
      /**
       * Milliseconds, with an error of at most 1%
       */
      p90: number | null;
      /**
       * Milliseconds, with an error of at most 1%
       */
      p99: number | null;
    }[];
  };
  /**
   * Get the median conversation duration of the last 30 days, with an error of at most 1%
   */
  'GET /v3/{project_id}/analytics/requests/duration': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      /**
       * Id of the project
       */
      _id: string;
      /**
       * Milliseconds; null if no conversation has a value
       */
      duration_avg: number | null;
    }[];
  };
  /**
   * Get the mean conversation duration of the last 7 days by day
   */
  'GET /v3/{project_id}/analytics/requests/duration/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        /**
         * 1 to 31
         */
        day: number;
        /**
         * 1 to 12
         */
        month: number;
        year: number;
      };
      /**
       * Milliseconds; null if no conversation has a value
       */
      duration_avg: number | null;
    }[];
  };
  /**
   * Get the mean conversation duration of the last 30 days by month
   */
  'GET /v3/{project_id}/analytics/requests/duration/month': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      _id: {
        /**
         * 1 to 12
         */
        month: number;
        year: number;
      };
      /**
       * Milliseconds; null if no conversation has a value
       */
      duration_avg: number | null;
    }[];
  };
  /**
   * Get percentiles of the conversation duration of the last 30 days
   */
  'GET /v3/{project_id}/analytics/requests/duration/percentiles': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      /**
       * Id of the project
       */
      _id: string;
      /**
       * Number of conversations whose waiting time or duration is known
       */
      count: number;
      /**
       * Milliseconds, with an error of at most 1%
       */
      median: number | null;
      /**
       * Milliseconds, with an error of at most 1%
       */
      p90: number | null;
      /**
       * Milliseconds, with an error of at most 1%
       */
      p99: number | null;
    }[];
  };
  /**
   * Get percentiles of the conversation duration of the last 30 days by day
   */
  'GET /v3/{project_id}/analytics/requests/duration/percentiles/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 1 to 31
         */
        day: number;
      };
      /**
       * Number of conversations whose waiting time or duration is known
       */
      count: number;
      /**
       * Milliseconds, with an error of at most 1%
       */
      median: number | null;
      /**
       * Milliseconds, with an error of at most 1%
       */
      p90: number | null;
      /**
       * Milliseconds, with an error of at most 1%
       */
      p99: number | null;
    }[];
  };
  /**
   * Get the mean rating of all conversations
   */
  'GET /v3/{project_id}/analytics/requests/satisfaction': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      /**
       * Id of the project
       */
      _id: string;
      /**
       * Rating from 0 to 5; null if no conversation has a value
       */
      satisfaction_avg: number | null;
    }[];
  };
  /**
   * Get the mean rating of the last 7 days by day
   */
  'GET /v3/{project_id}/analytics/requests/satisfaction/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        /**
         * 1 to 31
         */
        day: number;
        /**
         * 1 to 12
         */
        month: number;
        year: number;
      };
      /**
       * Rating from 0 to 5; null if no conversation has a value
       */
      satisfaction_avg: number | null;
    }[];
  };
  /**
   * Get the mean rating of all conversations by month
   */
  'GET /v3/{project_id}/analytics/requests/satisfaction/month': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the department
       */
      department_id?: string;
      /**
       * A participant: id of a user, or `bot_` followed by the id of a bot
       */
      participant?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
    };
    reply: {
      _id: {
        /**
         * 1 to 12
         */
        month: number;
        year: number;
      };
      /**
       * Rating from 0 to 5; null if no conversation has a value
       */
      satisfaction_avg: number | null;
    }[];
  };
  /**
   * Count the messages of the last 30 days
   */
  'GET /v3/{project_id}/analytics/messages/count': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the conversation's department
       */
      department_id?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Id of the sender
       */
      sender?: string;
      /**
       * `request_id` of the conversation
       */
      recipient?: string;
      /**
       * Only messages that contain this answer of a bot (`attributes._answerid`)
       */
      attributes_answerid?: string;
    };
    reply: {
      /**
       * Number of records
       */
      totalCount: number;
    }[];
  };
  /**
   * Count the messages of the last 30 days by day
   */
  'GET /v3/{project_id}/analytics/messages/aggregate/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the conversation's department
       */
      department_id?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Id of the sender
       */
      sender?: string;
      /**
       * `request_id` of the conversation
       */
      recipient?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 1 to 31
         */
        day: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count all messages by week
   */
  'GET /v3/{project_id}/analytics/messages/aggregate/week': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the conversation's department
       */
      department_id?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Id of the sender
       */
      sender?: string;
      /**
       * `request_id` of the conversation
       */
      recipient?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 0 to 53; weeks start on Sunday, and days before the first Sunday are in week 0
         */
        week: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count all messages by month
   */
  'GET /v3/{project_id}/analytics/messages/aggregate/month': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the conversation's department
       */
      department_id?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Id of the sender
       */
      sender?: string;
      /**
       * `request_id` of the conversation
       */
      recipient?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the messages of the last 7 days by sender
   */
  'GET /v3/{project_id}/analytics/messages/aggregate/sender': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the conversation's department
       */
      department_id?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Id of the sender
       */
      sender?: string;
      /**
       * `request_id` of the conversation
       */
      recipient?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        sender?: string;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the messages of the last 7 days by the bot answer that they contain
   */
  'GET /v3/{project_id}/analytics/requests/aggregate/attributes/_answerid': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Id of the conversation's department
       */
      department_id?: string;
      /**
       * Name of the channel, such as chat21, email or whatsapp
       */
      channel?: string;
      /**
       * Id of the sender
       */
      sender?: string;
      /**
       * `request_id` of the conversation
       */
      recipient?: string;
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        _answerid?: string;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the new visitors of the last 30 days
   */
  'GET /v3/{project_id}/analytics/project_users/count': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
    };
    reply: {
      /**
       * Number of records
       */
      totalCount: number;
    }[];
  };
  /**
   * Count the new visitors of the last 7 days by day
   */
  'GET /v3/{project_id}/analytics/project_users/aggregate/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 1 to 31
         */
        day: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count all visitors by the week of their first visit
   */
  'GET /v3/{project_id}/analytics/project_users/aggregate/week': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 0 to 53; weeks start on Sunday, and days before the first Sunday are in week 0
         */
        week: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count all visitors by the month of their first visit
   */
  'GET /v3/{project_id}/analytics/project_users/aggregate/month': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count the stored custom events of the last 7 days by day and name
   */
  'GET /v3/{project_id}/analytics/events/aggregate/day': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * Number of days before `end` or now; a value that is not a number selects the whole history
       */
      lastdays?: string;
      /**
       * Only events with this name; default: all but typing.start
       */
      name?: string;
    };
    reply: {
      _id: {
        year: number;
        /**
         * 1 to 12
         */
        month: number;
        /**
         * 1 to 31
         */
        day: number;
        name: string;
      };
      /**
       * Number of records
       */
      count: number;
    }[];
  };
  /**
   * Count by day how many times each tag was added to a conversation; `type` is `conversation-tag`
   */
  'GET /v3/{project_id}/analytics/tags/{type}': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
      /**
       * In a path: the type of quota, or `conversation-tag`. In a query: only records of this type
       */
      type: string;
    };
    query?: {
      /**
       * First day or time: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time; replaces the default period
       */
      start?: string;
      /**
       * Last day (inclusive) or end of the period: YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time
       */
      end?: string;
      /**
       * Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC
       */
      timezone?: string;
      /**
       * `csv`: the response is a CSV file
       */
      format?: 'json' | 'csv';
      /**
       * First day, MM/DD/YYYY or YYYY-MM-DD; default six days ago
       */
      start_date?: string;
      /**
       * Last day, MM/DD/YYYY or YYYY-MM-DD; default today
       */
      end_date?: string;
    };
    reply: {
      /**
       * DD/MM/YYYY, oldest first; only days on which tags were added
       */
      dates: string[];
      series: {
        name: string;
        values: number[];
      }[];
    };
  };
  /**
   * Get the mean waiting time of the last four hours
   */
  'GET /v3/{project_id}/publicanalytics/waiting/current': {
    path: {
      /**
       * Id of the project; 24 hexadecimal digits
       */
      project_id: string;
    };
    reply: {
      /**
       * Id of the project
       */
      _id: string;
      /**
       * Milliseconds; null if no conversation has a value
       */
      waiting_time_avg: number | null;
    }[];
  };
}
export interface User {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  email: string;
  firstname?: string;
  lastname?: string;
  emailverified: boolean;
  /**
   * 100: active, 0: deleted
   */
  status: number;
  attributes?: {
    [k: string]: unknown;
  };
  description?: string;
  public_email?: string;
  public_website?: string;
  phone?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface SignedInUser {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  email: string;
  firstname?: string;
  lastname?: string;
  emailverified: boolean;
}
export interface Token {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  jti: string;
  id_user: string;
  /**
   * Only for tokens of bots and subscriptions
   */
  id_project?: string;
  userAgent?: string;
  ip?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  expiresAt: string;
  /**
   * Accurate to a few minutes
   */
  lastUsedAt?: string;
  /**
   * ISO 8601, UTC
   */
  revokedAt?: string;
}
export interface PublicUser {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  firstname?: string;
  lastname?: string;
  public_website?: string;
  public_email?: string;
  description?: string;
}
export interface Project {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  name: string;
  status: number;
  activeOperatingHours: boolean;
  /**
   * JSON, as a string
   */
  operatingHours?: string;
  timeSlots?: {
    [k: string]: unknown;
  };
  settings: {
    [k: string]: unknown;
  };
  widget?: {
    [k: string]: unknown;
  };
  attributes?: {
    [k: string]: unknown;
  };
  profile: {
    [k: string]: unknown;
  };
  channels: {
    name: string;
  }[];
  versions: number;
  ipFilterEnabled: boolean;
  ipFilter: string[];
  ipFilterDenyEnabled: boolean;
  ipFilterDeny: string[];
  bannedUsers: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    id: string;
    ip?: string;
  }[];
  trialExpired: boolean;
  /**
   * Days since the end of the trial; negative while the trial is running, as deployed clients expect
   */
  trialDaysLeft: number;
  isActiveSubscription: boolean | '';
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Membership {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  role: string;
  /**
   * 1: teammate, 2: visitor
   */
  roleType: number;
  user_available: boolean;
  status: 'active' | 'disabled';
  trashed: boolean;
  attributes?: {
    [k: string]: unknown;
  };
  settings?: {
    [k: string]: unknown;
  };
  max_assigned_chat?: number;
  number_assigned_requests: number;
  /**
   * ISO 8601, UTC
   */
  last_login_at?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: Project;
  /**
   * The visitor's id; absent for people with an account
   */
  uuid_user?: string;
  profileStatus?: string;
  presence: 'online' | 'offline';
  tags: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    tag: string;
    color?: string;
    attributes?: {
      [k: string]: unknown;
    };
  }[];
  permissions: string[];
  isAuthenticated: boolean;
  /**
   * 24 hexadecimal digits
   */
  id_user: string;
}
export interface ProjectSummary {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  name: string;
  /**
   * Email address of the owner
   */
  owner?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  profile_name: string;
}
export interface ProjectRemoval {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  name: string;
  requestedBy: string;
  /**
   * Number of records deleted so far, by collection
   */
  removed: {
    [k: string]: number;
  };
  /**
   * Absent while the deletion is in progress
   */
  finishedAt?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
}
export interface PublicProject {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  name: string;
  status: number;
  activeOperatingHours: boolean;
  operatingHours?: string;
  timeSlots?: {
    [k: string]: unknown;
  };
  settings: {
    allowed_urls?: unknown;
    allowed_urls_list?: unknown;
    allow_send_emoji?: unknown;
    allowed_upload_extentions?: unknown;
  };
  widget?: {
    [k: string]: unknown;
  };
  profile: {
    name?: unknown;
    type?: unknown;
    trialDays?: unknown;
    agents?: unknown;
  };
  channels: {
    name: string;
  }[];
  versions: number;
  trialExpired: boolean;
  /**
   * Days since the end of the trial; negative while the trial is running, as deployed clients expect
   */
  trialDaysLeft: number;
  isActiveSubscription: boolean | '';
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
}
export interface PublicDepartment {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  name: string;
  description?: string;
  /**
   * `assigned`: routing chooses an agent; `pooled`: agents join conversations themselves
   */
  routing?: string | null;
  default: boolean;
  /**
   * 1 visible; 0 hidden from visitors; -1 hidden from visitors and teammates
   */
  status: number;
  online_msg?: string;
  offline_msg?: string;
}
export interface Teammate {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  role: string;
  /**
   * 1: teammate, 2: visitor
   */
  roleType: number;
  user_available: boolean;
  status: 'active' | 'disabled';
  trashed: boolean;
  attributes?: {
    [k: string]: unknown;
  };
  settings?: {
    [k: string]: unknown;
  };
  max_assigned_chat?: number;
  number_assigned_requests: number;
  /**
   * ISO 8601, UTC
   */
  last_login_at?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  /**
   * The visitor's id; absent for people with an account
   */
  uuid_user?: string;
  profileStatus?: string;
  presence: 'online' | 'offline';
  tags: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    tag: string;
    color?: string;
    attributes?: {
      [k: string]: unknown;
    };
  }[];
  permissions: string[];
  isAuthenticated: boolean;
  /**
   * Whether the teammate has reached their maximum number of open conversations
   */
  isBusy: boolean;
  id_user?: User;
}
export interface TeammateUpdated {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  role: string;
  /**
   * 1: teammate, 2: visitor
   */
  roleType: number;
  user_available: boolean;
  status: 'active' | 'disabled';
  trashed: boolean;
  attributes?: {
    [k: string]: unknown;
  };
  settings?: {
    [k: string]: unknown;
  };
  max_assigned_chat?: number;
  number_assigned_requests: number;
  /**
   * ISO 8601, UTC
   */
  last_login_at?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  /**
   * The visitor's id; absent for people with an account
   */
  uuid_user?: string;
  profileStatus?: string;
  presence: 'online' | 'offline';
  tags: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    tag: string;
    color?: string;
    attributes?: {
      [k: string]: unknown;
    };
  }[];
  permissions: string[];
  isAuthenticated: boolean;
  /**
   * 24 hexadecimal digits
   */
  id_user?: string;
}
export interface OwnTeammate {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  role: string;
  /**
   * 1: teammate, 2: visitor
   */
  roleType: number;
  user_available: boolean;
  status: 'active' | 'disabled';
  trashed: boolean;
  attributes?: {
    [k: string]: unknown;
  };
  settings?: {
    [k: string]: unknown;
  };
  max_assigned_chat?: number;
  number_assigned_requests: number;
  /**
   * ISO 8601, UTC
   */
  last_login_at?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  /**
   * The visitor's id; absent for people with an account
   */
  uuid_user?: string;
  profileStatus?: string;
  presence: 'online' | 'offline';
  tags: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    tag: string;
    color?: string;
    attributes?: {
      [k: string]: unknown;
    };
  }[];
  permissions: string[];
  isAuthenticated: boolean;
  /**
   * 24 hexadecimal digits
   */
  id_user?: string;
  /**
   * Whether the teammate has reached their maximum number of open conversations
   */
  isBusy: boolean;
}
export interface PendingInvitation {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  email: string;
  role: string;
  user_available: boolean;
  firstname?: string;
  lastname?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Group {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  name: string;
  /**
   * Items: 24 hexadecimal digits
   */
  members: string[];
  enabled: boolean;
  trashed: boolean;
  attributes?: {
    [k: string]: unknown;
  };
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Department {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  name: string;
  description?: string;
  /**
   * `assigned`: routing chooses an agent; `pooled`: agents join conversations themselves
   */
  routing?: string | null;
  default: boolean;
  /**
   * 1 visible; 0 hidden from visitors; -1 hidden from visitors and teammates
   */
  status: number;
  online_msg?: string;
  offline_msg?: string;
  id_bot?: string;
  hasBot: boolean;
  bot_only?: boolean;
  id_group?: string;
  groups?: {
    id_group: string;
    /**
     * Alias of `id_group`
     */
    group_id: string;
    /**
     * Percentage of the department's conversations that the group receives
     */
    percentage?: number;
  }[];
  tags?: {
    tag: string;
    color?: string;
    attributes?: {
      [k: string]: unknown;
    };
  }[];
  attributes?: {
    [k: string]: unknown;
  };
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface SimulatedDecision {
  outcome: 'bot' | 'assigned' | 'pooled' | 'in_line' | 'nobody';
  /**
   * A user id, or `bot_` followed by the id of a bot
   */
  chosen: string | null;
  /**
   * Id of the group whose turn it was
   */
  group?: string;
  considered: {
    id_user: string;
    reason:
      | 'chosen'
      | 'bot_first'
      | 'pooled'
      | 'others_wait_longer'
      | 'project_closed'
      | 'not_available'
      | 'left_this_conversation'
      | 'at_capacity'
      | 'group_without_share'
      | 'turn_of_another_group'
      | 'has_more_open'
      | 'assigned_more_recently'
      | 'next_in_order'
      | 'changed_meanwhile'
      | 'selected_by_webhook';
    /**
     * Open conversations
     */
    open: number;
    /**
     * Maximum number of open conversations; null for no limit
     */
    capacity: number | null;
    last_assigned_at: string | null;
  }[];
  /**
   * Number of considered agents who are not listed
   */
  others: number;
}
export interface Bot {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  name: string;
  description?: string;
  /**
   * `internal`: built-in engine; bots of other types, except `identity`, are programs that are called at their `url`
   */
  type: string;
  external: boolean;
  subtype?: string;
  url?: string;
  language: string;
  webhook_enabled: boolean;
  webhook_url?: string;
  attributes?: {
    [k: string]: unknown;
  };
  slug?: string;
  public: boolean;
  certified: boolean;
  mainCategory?: string;
  intentsEngine: string;
  tags: string[];
  certifiedTags: {
    name?: string;
    color?: string;
  }[];
  score: number;
  trained: boolean;
  title?: string;
  short_description?: string;
  agents_available: boolean;
  trashed: boolean;
  /**
   * ISO 8601, UTC
   */
  trashedAt?: string;
  /**
   * Whether the bot has changed since it was last published
   */
  modified?: boolean;
  /**
   * The bot that this published copy was made from
   */
  root_id?: string;
  release_note?: string;
  publishedBy?: string;
  /**
   * ISO 8601, UTC
   */
  publishedAt?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Intent {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  /**
   * Id of the bot
   */
  id_faq_kb: string;
  intent_id: string;
  intent_display_name: string;
  /**
   * Training phrases, one per line
   */
  question?: string;
  answer?: string;
  reply?: {
    [k: string]: unknown;
  };
  form?: {
    [k: string]: unknown;
  };
  actions?: {
    [k: string]: unknown;
  }[];
  attributes?: {
    [k: string]: unknown;
  };
  enabled: boolean;
  webhook_enabled: boolean;
  topic: string;
  status: string;
  language: string;
  agents_available: boolean;
  trashed: boolean;
  /**
   * ISO 8601, UTC
   */
  trashedAt?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface WebhookAttempt {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  subscription: string;
  /**
   * Sent as the `webhook-id` header; the same in every attempt
   */
  delivery: string;
  event: string;
  target: string;
  attempt: number;
  status?: number;
  duration_ms: number;
  /**
   * JSON with the status and the headers of the response
   */
  response?: string;
  /**
   * The beginning of the response body
   */
  body?: string;
  /**
   * The beginning of the JSON that was sent, excluding the `token` field
   */
  jsonRequest: string;
  err?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Subscription {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  event: string;
  target: string;
  enabled: boolean;
  disabled_reason?: string;
  /**
   * ISO 8601, UTC
   */
  disabled_at?: string;
  /**
   * Until this time, deliveries are also signed with the previous secret
   */
  previous_secret_expires_at?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Trigger {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  name: string;
  description?: string;
  trigger: {
    key:
      | 'request.create'
      | 'request.participants.join'
      | 'message.create.from.requester'
      | 'message.received'
      | 'event.emit';
    name: string;
    description?: string;
  };
  conditions: {
    all: {
      key: string;
      fact: string;
      path?: string;
      operator:
        | 'equal'
        | 'notEqual'
        | 'in'
        | 'notIn'
        | 'contains'
        | 'doesNotContain'
        | 'lessThan'
        | 'lessThanInclusive'
        | 'greaterThan'
        | 'greaterThanInclusive'
        | 'hasOwnProperty'
        | 'notHasOwnProperty';
      value?: string | number | boolean | null;
    }[];
    any: {
      key: string;
      fact: string;
      path?: string;
      operator:
        | 'equal'
        | 'notEqual'
        | 'in'
        | 'notIn'
        | 'contains'
        | 'doesNotContain'
        | 'lessThan'
        | 'lessThanInclusive'
        | 'greaterThan'
        | 'greaterThanInclusive'
        | 'hasOwnProperty'
        | 'notHasOwnProperty';
      value?: string | number | boolean | null;
    }[];
  };
  actions: {
    key:
      | 'message.send'
      | 'email.send'
      | 'bot.calling'
      | 'request.create'
      | 'request.department.route'
      | 'request.department.route.self'
      | 'request.department.bot.launch'
      | 'request.bot.launch'
      | 'request.participants.join'
      | 'request.participants.leave'
      | 'request.status.update'
      | 'request.close'
      | 'request.reopen'
      | 'request.tags.add';
    parameters: {
      [k: string]: unknown;
    };
  }[];
  enabled: boolean;
  /**
   * Code of a built-in trigger
   */
  code?: string;
  /**
   * `internal` for built-in triggers
   */
  type?: string;
  version?: number;
  createdBy: string;
  updatedBy?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface KbNamespace {
  id: string;
  id_project: string;
  name: string;
  default: boolean;
  hybrid: boolean;
  preview_settings: {
    [k: string]: unknown;
  };
  engine: Engine;
  embedding: Embedding;
  /**
   * Number of contents; only with the parameter `count`
   */
  count?: number;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
}
export interface Engine {
  name: string;
  type: string;
  apikey: '';
  vector_size: number;
  index_name: string;
}
export interface Embedding {
  provider: string;
  name: string;
  dimension: number;
  api_key: '';
}
/**
 * The report on the deletion, which continues in the background if there are many contents
 */
export interface KbDeletion {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  namespace: string;
  /**
   * `namespace`, `contents` or `sitemap`
   */
  kind: string;
  sitemap?: string;
  /**
   * Number of contents deleted so far
   */
  deleted: number;
  /**
   * Absent while the deletion is running
   */
  finishedAt?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface KbDeletion1 {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  namespace: string;
  /**
   * `namespace`, `contents` or `sitemap`
   */
  kind: string;
  sitemap?: string;
  /**
   * Number of contents deleted so far
   */
  deleted: number;
  /**
   * Absent while the deletion is running
   */
  finishedAt?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface ContentChunks {
  matches: {
    id: string;
    metadata_id: string;
    metadata_source: string;
    metadata_type: string;
    date: string;
    text: string;
  }[];
}
export interface KbQuestionCluster {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  namespace: string;
  /**
   * The first question of the cluster
   */
  question: string;
  /**
   * Number of unanswered questions
   */
  count: number;
  /**
   * The latest distinct questions, at most 5
   */
  examples: string[];
  /**
   * ISO 8601, UTC
   */
  first_asked_at?: string;
  /**
   * ISO 8601, UTC
   */
  last_asked_at?: string;
  /**
   * Id of the FAQ that the team added to answer the cluster
   */
  content?: string;
  /**
   * ISO 8601, UTC
   */
  promoted_at?: string;
  /**
   * When the questions were asked again, after the FAQ was indexed
   */
  reasked_at?: string;
  /**
   * Number of questions that the FAQ has answered
   */
  resolved?: number;
}
export interface KbContent {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  namespace: string;
  type: string;
  source: string;
  name: string;
  content: string;
  /**
   * -1 queued, 100 fetching, 200 indexing, 300 indexed, 400 failed
   */
  status: number;
  scrape_type?: number;
  scrape_options?: {
    [k: string]: unknown;
  };
  /**
   * How a page with a `scrape_type` of 2 to 5 is read: `browser`, or `static` if no browser is configured
   */
  scrape_mode?: string;
  refresh_rate?: string;
  /**
   * ISO 8601, UTC
   */
  last_refresh?: string;
  sitemap_origin_id?: string;
  sitemap_origin?: string;
  tags?: string[];
  situated_context?: boolean;
  chunk_regex?: string;
  /**
   * Why the last attempt failed
   */
  error?: {
    code: string;
    message: string;
    hint?: string;
    attempt: number;
    /**
     * ISO 8601, UTC
     */
    at: string;
  };
  /**
   * Why a queued content waits, and when the next attempt is due
   */
  waiting?: {
    code: string;
    message: string;
    hint?: string;
    /**
     * ISO 8601, UTC
     */
    next_attempt_at: string;
  };
  /**
   * Id of the import that last added the content; absent if no import did
   */
  import_id?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface KbQuestion {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  namespace: string;
  question: string;
  request_id?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  sender?: string;
  /**
   * Relevance; only with the parameter `search`
   */
  score?: number;
}
export interface KbAnsweredQuestion {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  namespace: string;
  question: string;
  request_id?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  answer: string;
  /**
   * Tokens of the prompt, multiplied by the factor of the model in the setting `AI_MODELS`
   */
  tokens?: number;
  /**
   * Relevance; only with the parameter `search`
   */
  score?: number;
}
export interface KbAttempt {
  id: string;
  /**
   * `unchanged`: the source is the same as before. `retry`: failed, and another attempt follows. `aborted`: the worker stopped
   */
  outcome: 'indexed' | 'unchanged' | 'retry' | 'failed' | 'aborted' | 'running';
  /**
   * ISO 8601, UTC
   */
  started_at: string;
  /**
   * Absent while the attempt is running
   */
  ended_at?: string;
  /**
   * Milliseconds from the start to the end, or until now
   */
  ms: number;
  /**
   * In order; the attempt ended in the last one. A running attempt has one entry: `fetch` until its source has been read, then `embed`
   */
  stages: {
    stage: 'fetch' | 'render' | 'parse' | 'situate' | 'embed' | 'store';
    /**
     * Absent while the stage is running, or if its worker disappeared
     */
    ms?: number;
    /**
     * Bytes of the fetched page; 0 if the site answered that the page has not changed
     */
    bytes?: number;
  }[];
  /**
   * Number of chunks of the content
   */
  chunks?: number;
  /**
   * Number of chunks that were embedded; the others were unchanged
   */
  embedded?: number;
  /**
   * Code of the reason why the attempt ended without a result
   */
  code?: string;
  message?: string;
  hint?: string;
  /**
   * ISO 8601, UTC
   */
  next_attempt_at?: string;
}
export interface KbImport {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  namespace: string;
  /**
   * How the contents were added: `url_list`, `csv`, `sitemap` or `import`
   */
  type: string;
  source?: string;
  total: number;
  queued: number;
  fetching: number;
  indexing: number;
  indexed: number;
  failed: number;
  /**
   * When the last content was indexed or failed
   */
  finished_at?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface IndexingStatus {
  status_message: string;
  /**
   * 0 queued, 2 started, 3 finished, 4 failed
   */
  status_code: number;
  queue_order: number;
}
export interface Integration {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  name: string;
  value: {
    [k: string]: unknown;
  };
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface BillingPeriod {
  /**
   * DD/MM/YYYY, UTC
   */
  startDate: string;
  /**
   * The last day, DD/MM/YYYY, UTC
   */
  endDate: string;
}
export interface DeadLetter {
  /**
   * The name in `failedBy`, and the id of the event (for `relay`: its position)
   */
  _id: string;
  /**
   * `relay`, or the name of a listener
   */
  failedBy: string;
  code: string;
  /**
   * Why the event was not relayed or processed
   */
  message: string;
  /**
   * Position of the event in the changes log
   */
  position: string;
  id_project?: string;
  event?: string;
  record?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * The cursor from which the listener can replay the event: the position just before it
   */
  replayAfter: string;
}
export interface CustomEvent {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  name: string;
  attributes?: {
    [k: string]: unknown;
  };
  project_user?: string;
  /**
   * Always `stardard`
   */
  status: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface PostedMessage {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  recipient: string;
  recipientFullname?: string;
  sender: string;
  senderFullname?: string;
  text?: string;
  type: string;
  metadata?: {
    [k: string]: unknown;
  };
  attributes?: {
    [k: string]: unknown;
  };
  language?: string;
  channel: {
    name: string;
  };
  channel_type: string;
  status: number;
  client_message_id?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  request?: Conversation;
}
export interface Conversation {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  request_id: string;
  ticket_id?: number;
  requester_id: string | null;
  lead?: Lead;
  subject?: string;
  first_text: string;
  department?: string;
  participants: string[];
  participantsAgents: string[];
  participantsBots: string[];
  participatingBots: {
    [k: string]: unknown;
  }[];
  hasBot: boolean;
  status: number;
  preflight: boolean;
  draft?: boolean;
  channel: {
    name: string;
  };
  channelOutbound: {
    name: string;
  };
  sourcePage?: string;
  language?: string;
  userAgent?: string;
  location?: {
    [k: string]: unknown;
  };
  contact?: {
    [k: string]: unknown;
  };
  rating?: number;
  rating_message?: string;
  /**
   * ISO 8601, UTC
   */
  assigned_at?: string;
  /**
   * ISO 8601, UTC
   */
  first_response_at?: string;
  /**
   * Milliseconds
   */
  waiting_time?: number;
  /**
   * ISO 8601, UTC
   */
  closed_at?: string;
  closed_by?: string;
  /**
   * Milliseconds
   */
  duration?: number;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  requester?: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    role: string;
    /**
     * 1: teammate, 2: visitor
     */
    roleType?: number;
    user_available?: boolean;
    status?: 'active' | 'disabled';
    trashed?: boolean;
    attributes?: {
      [k: string]: unknown;
    };
    settings?: {
      [k: string]: unknown;
    };
    max_assigned_chat?: number;
    number_assigned_requests?: number;
    /**
     * ISO 8601, UTC
     */
    last_login_at?: string;
    createdBy?: string;
    /**
     * ISO 8601, UTC
     */
    createdAt?: string;
    /**
     * ISO 8601, UTC
     */
    updatedAt?: string;
    __v?: number;
    /**
     * 24 hexadecimal digits
     */
    id?: string;
    id_project: string;
    /**
     * The visitor's id; absent for people with an account
     */
    uuid_user?: string;
    profileStatus?: string;
    presence?: 'online' | 'offline';
    tags?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      tag: string;
      color?: string;
      attributes?: {
        [k: string]: unknown;
      };
    }[];
    permissions?: string[];
    isAuthenticated?: boolean;
    id_user?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      firstname?: string;
      lastname?: string;
      email?: string;
      emailverified?: boolean;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
    };
  };
  /**
   * The teammates that routing considered. Those after the first 20 have only ids and a role. In the reply to a call that posts a message, all of them have only ids and a role
   */
  agents: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    role: string;
    /**
     * 1: teammate, 2: visitor
     */
    roleType?: number;
    user_available?: boolean;
    status?: 'active' | 'disabled';
    trashed?: boolean;
    max_assigned_chat?: number;
    number_assigned_requests?: number;
    /**
     * ISO 8601, UTC
     */
    last_login_at?: string;
    createdBy?: string;
    /**
     * ISO 8601, UTC
     */
    createdAt?: string;
    /**
     * ISO 8601, UTC
     */
    updatedAt?: string;
    __v?: number;
    /**
     * 24 hexadecimal digits
     */
    id?: string;
    id_project?: string;
    /**
     * The visitor's id; absent for people with an account
     */
    uuid_user?: string;
    profileStatus?: string;
    presence?: 'online' | 'offline';
    tags?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      tag: string;
      color?: string;
      attributes?: {
        [k: string]: unknown;
      };
    }[];
    permissions?: string[];
    isAuthenticated?: boolean;
    id_user: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      firstname?: string;
      lastname?: string;
      email?: string;
      emailverified?: boolean;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
    };
  }[];
  participatingAgents: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    firstname?: string;
    lastname?: string;
    email: string;
    emailverified: boolean;
    /**
     * ISO 8601, UTC
     */
    createdAt: string;
    /**
     * ISO 8601, UTC
     */
    updatedAt: string;
  }[];
  smartAssignment: boolean;
  workingStatus?: string;
  priority: string;
  followers: string[];
  tags: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    tag: string;
    color?: string;
    attributes?: {
      [k: string]: unknown;
    };
  }[];
  notes: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    text: string;
    createdBy: string;
    attributes?: {
      [k: string]: unknown;
    };
    /**
     * ISO 8601, UTC
     */
    createdAt: string;
    /**
     * ISO 8601, UTC
     */
    updatedAt: string;
  }[];
  auto_close?: number;
  snapshot: {
    lead?: Lead;
    /**
     * The requester at the time when the conversation was opened
     */
    requester?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      role: string;
      /**
       * 1: teammate, 2: visitor
       */
      roleType?: number;
      user_available?: boolean;
      status?: 'active' | 'disabled';
      trashed?: boolean;
      attributes?: {
        [k: string]: unknown;
      };
      settings?: {
        [k: string]: unknown;
      };
      max_assigned_chat?: number;
      number_assigned_requests?: number;
      /**
       * ISO 8601, UTC
       */
      last_login_at?: string;
      createdBy?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
      __v?: number;
      /**
       * 24 hexadecimal digits
       */
      id?: string;
      id_project: string;
      /**
       * The visitor's id; absent for people with an account
       */
      uuid_user?: string;
      profileStatus?: string;
      presence?: unknown;
      tags?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        tag: string;
        color?: string;
        attributes?: {
          [k: string]: unknown;
        };
      }[];
      permissions?: string[];
      isAuthenticated?: boolean;
      id_user?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        firstname?: string;
        lastname?: string;
        email?: string;
        emailverified?: boolean;
        /**
         * ISO 8601, UTC
         */
        createdAt?: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt?: string;
      };
    };
    department?: {
      [k: string]: unknown;
    };
    /**
     * Same as `agents` of the conversation
     */
    agents?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      role: string;
      /**
       * 1: teammate, 2: visitor
       */
      roleType?: number;
      user_available?: boolean;
      status?: 'active' | 'disabled';
      trashed?: boolean;
      max_assigned_chat?: number;
      number_assigned_requests?: number;
      /**
       * ISO 8601, UTC
       */
      last_login_at?: string;
      createdBy?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
      __v?: number;
      /**
       * 24 hexadecimal digits
       */
      id?: string;
      id_project?: string;
      /**
       * The visitor's id; absent for people with an account
       */
      uuid_user?: string;
      profileStatus?: string;
      presence?: 'online' | 'offline';
      tags?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        tag: string;
        color?: string;
        attributes?: {
          [k: string]: unknown;
        };
      }[];
      permissions?: string[];
      isAuthenticated?: boolean;
      id_user: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        firstname?: string;
        lastname?: string;
        email?: string;
        emailverified?: boolean;
        /**
         * ISO 8601, UTC
         */
        createdAt?: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt?: string;
      };
    }[];
    availableAgentsCount?: number;
  };
  attributes?: {
    [k: string]: unknown;
  };
}
export interface Lead {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  lead_id: string;
  fullname?: string;
  email?: string;
  phone?: string;
  company?: string;
  note?: string;
  streetAddress?: string;
  city?: string;
  region?: string;
  zipcode?: string;
  country?: string;
  tags: string[];
  attributes?: {
    [k: string]: unknown;
  };
  properties?: {
    [k: string]: unknown;
  };
  status: number;
  /**
   * Id of the lead into which this lead was merged
   */
  merged_into?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface VisitorPostedMessage {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  recipient: string;
  recipientFullname?: string;
  sender: string;
  senderFullname?: string;
  text?: string;
  type: string;
  metadata?: {
    [k: string]: unknown;
  };
  attributes?: {
    [k: string]: unknown;
  };
  language?: string;
  channel: {
    name: string;
  };
  channel_type: string;
  status: number;
  client_message_id?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  request?: VisitorConversation;
}
export interface VisitorConversation {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  request_id: string;
  ticket_id?: number;
  requester_id: string | null;
  lead?: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    lead_id: string;
    fullname?: string;
    email?: string;
    phone?: string;
  };
  subject?: string;
  first_text: string;
  department?: string;
  participants: string[];
  participantsAgents: string[];
  participantsBots: string[];
  participatingBots: {
    [k: string]: unknown;
  }[];
  hasBot: boolean;
  status: number;
  preflight: boolean;
  draft?: boolean;
  channel: {
    name: string;
  };
  channelOutbound: {
    name: string;
  };
  sourcePage?: string;
  language?: string;
  userAgent?: string;
  location?: {
    [k: string]: unknown;
  };
  contact?: {
    [k: string]: unknown;
  };
  rating?: number;
  rating_message?: string;
  /**
   * ISO 8601, UTC
   */
  assigned_at?: string;
  /**
   * ISO 8601, UTC
   */
  first_response_at?: string;
  /**
   * Milliseconds
   */
  waiting_time?: number;
  /**
   * ISO 8601, UTC
   */
  closed_at?: string;
  closed_by?: string;
  /**
   * Milliseconds
   */
  duration?: number;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  participatingAgents: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    firstname?: string;
    lastname?: string;
  }[];
}
export interface Message {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  recipient: string;
  recipientFullname?: string;
  sender: string;
  senderFullname?: string;
  text?: string;
  type: string;
  metadata?: {
    [k: string]: unknown;
  };
  attributes?: {
    [k: string]: unknown;
  };
  language?: string;
  channel: {
    name: string;
  };
  channel_type: string;
  status: number;
  client_message_id?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface VisitorMessage {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  recipient: string;
  recipientFullname?: string;
  sender: string;
  senderFullname?: string;
  text?: string;
  type: string;
  metadata?: {
    [k: string]: unknown;
  };
  attributes?: {
    [k: string]: unknown;
  };
  language?: string;
  channel: {
    name: string;
  };
  channel_type: string;
  status: number;
  client_message_id?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface ConversationRef {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  request_id: string;
  ticket_id?: number;
  requester_id: string | null;
  lead?: string;
  subject?: string;
  first_text: string;
  department?: string;
  participants: string[];
  participantsAgents: string[];
  participantsBots: string[];
  hasBot: boolean;
  status: number;
  preflight: boolean;
  draft?: boolean;
  channel: {
    name: string;
  };
  channelOutbound: {
    name: string;
  };
  sourcePage?: string;
  language?: string;
  userAgent?: string;
  location?: {
    [k: string]: unknown;
  };
  contact?: {
    [k: string]: unknown;
  };
  rating?: number;
  rating_message?: string;
  /**
   * ISO 8601, UTC
   */
  assigned_at?: string;
  /**
   * ISO 8601, UTC
   */
  first_response_at?: string;
  /**
   * Milliseconds
   */
  waiting_time?: number;
  /**
   * ISO 8601, UTC
   */
  closed_at?: string;
  closed_by?: string;
  /**
   * Milliseconds
   */
  duration?: number;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  requester?: string;
  agents: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    /**
     * 24 hexadecimal digits
     */
    id_user: string;
    role: string;
  }[];
  smartAssignment: boolean;
  workingStatus?: string;
  priority: string;
  followers: string[];
  tags: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    tag: string;
    color?: string;
    attributes?: {
      [k: string]: unknown;
    };
  }[];
  notes: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    text: string;
    createdBy: string;
    attributes?: {
      [k: string]: unknown;
    };
    /**
     * ISO 8601, UTC
     */
    createdAt: string;
    /**
     * ISO 8601, UTC
     */
    updatedAt: string;
  }[];
  auto_close?: number;
  snapshot: {
    lead?: Lead;
    /**
     * The requester at the time when the conversation was opened
     */
    requester?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      role: string;
      /**
       * 1: teammate, 2: visitor
       */
      roleType?: number;
      user_available?: boolean;
      status?: 'active' | 'disabled';
      trashed?: boolean;
      attributes?: {
        [k: string]: unknown;
      };
      settings?: {
        [k: string]: unknown;
      };
      max_assigned_chat?: number;
      number_assigned_requests?: number;
      /**
       * ISO 8601, UTC
       */
      last_login_at?: string;
      createdBy?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
      __v?: number;
      /**
       * 24 hexadecimal digits
       */
      id?: string;
      id_project: string;
      /**
       * The visitor's id; absent for people with an account
       */
      uuid_user?: string;
      profileStatus?: string;
      presence?: unknown;
      tags?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        tag: string;
        color?: string;
        attributes?: {
          [k: string]: unknown;
        };
      }[];
      permissions?: string[];
      isAuthenticated?: boolean;
      id_user?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        firstname?: string;
        lastname?: string;
        email?: string;
        emailverified?: boolean;
        /**
         * ISO 8601, UTC
         */
        createdAt?: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt?: string;
      };
    };
    department?: {
      [k: string]: unknown;
    };
    /**
     * Same as `agents` of the conversation
     */
    agents?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      role: string;
      /**
       * 1: teammate, 2: visitor
       */
      roleType?: number;
      user_available?: boolean;
      status?: 'active' | 'disabled';
      trashed?: boolean;
      max_assigned_chat?: number;
      number_assigned_requests?: number;
      /**
       * ISO 8601, UTC
       */
      last_login_at?: string;
      createdBy?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
      __v?: number;
      /**
       * 24 hexadecimal digits
       */
      id?: string;
      id_project?: string;
      /**
       * The visitor's id; absent for people with an account
       */
      uuid_user?: string;
      profileStatus?: string;
      presence?: 'online' | 'offline';
      tags?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        tag: string;
        color?: string;
        attributes?: {
          [k: string]: unknown;
        };
      }[];
      permissions?: string[];
      isAuthenticated?: boolean;
      id_user: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        firstname?: string;
        lastname?: string;
        email?: string;
        emailverified?: boolean;
        /**
         * ISO 8601, UTC
         */
        createdAt?: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt?: string;
      };
    }[];
    availableAgentsCount?: number;
  };
  attributes?: {
    [k: string]: unknown;
  };
}
export interface ClosedConversation {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  request_id: string;
  ticket_id?: number;
  requester_id: string | null;
  lead?: Lead;
  subject?: string;
  first_text: string;
  department?: string;
  participants: string[];
  participantsAgents: string[];
  participantsBots: string[];
  participatingBots: {
    [k: string]: unknown;
  }[];
  hasBot: boolean;
  status: number;
  preflight: boolean;
  draft?: boolean;
  channel: {
    name: string;
  };
  channelOutbound: {
    name: string;
  };
  sourcePage?: string;
  language?: string;
  userAgent?: string;
  location?: {
    [k: string]: unknown;
  };
  contact?: {
    [k: string]: unknown;
  };
  rating?: number;
  rating_message?: string;
  /**
   * ISO 8601, UTC
   */
  assigned_at?: string;
  /**
   * ISO 8601, UTC
   */
  first_response_at?: string;
  /**
   * Milliseconds
   */
  waiting_time?: number;
  /**
   * ISO 8601, UTC
   */
  closed_at?: string;
  closed_by?: string;
  /**
   * Milliseconds
   */
  duration?: number;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  requester?: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    role: string;
    /**
     * 1: teammate, 2: visitor
     */
    roleType?: number;
    user_available?: boolean;
    status?: 'active' | 'disabled';
    trashed?: boolean;
    attributes?: {
      [k: string]: unknown;
    };
    settings?: {
      [k: string]: unknown;
    };
    max_assigned_chat?: number;
    number_assigned_requests?: number;
    /**
     * ISO 8601, UTC
     */
    last_login_at?: string;
    createdBy?: string;
    /**
     * ISO 8601, UTC
     */
    createdAt?: string;
    /**
     * ISO 8601, UTC
     */
    updatedAt?: string;
    __v?: number;
    /**
     * 24 hexadecimal digits
     */
    id?: string;
    id_project: string;
    /**
     * The visitor's id; absent for people with an account
     */
    uuid_user?: string;
    profileStatus?: string;
    presence?: 'online' | 'offline';
    tags?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      tag: string;
      color?: string;
      attributes?: {
        [k: string]: unknown;
      };
    }[];
    permissions?: string[];
    isAuthenticated?: boolean;
    id_user?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      firstname?: string;
      lastname?: string;
      email?: string;
      emailverified?: boolean;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
    };
  };
  /**
   * The teammates that routing considered. Those after the first 20 have only ids and a role. In the reply to a call that posts a message, all of them have only ids and a role
   */
  agents: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    role: string;
    /**
     * 1: teammate, 2: visitor
     */
    roleType?: number;
    user_available?: boolean;
    status?: 'active' | 'disabled';
    trashed?: boolean;
    max_assigned_chat?: number;
    number_assigned_requests?: number;
    /**
     * ISO 8601, UTC
     */
    last_login_at?: string;
    createdBy?: string;
    /**
     * ISO 8601, UTC
     */
    createdAt?: string;
    /**
     * ISO 8601, UTC
     */
    updatedAt?: string;
    __v?: number;
    /**
     * 24 hexadecimal digits
     */
    id?: string;
    id_project?: string;
    /**
     * The visitor's id; absent for people with an account
     */
    uuid_user?: string;
    profileStatus?: string;
    presence?: 'online' | 'offline';
    tags?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      tag: string;
      color?: string;
      attributes?: {
        [k: string]: unknown;
      };
    }[];
    permissions?: string[];
    isAuthenticated?: boolean;
    id_user: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      firstname?: string;
      lastname?: string;
      email?: string;
      emailverified?: boolean;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
    };
  }[];
  participatingAgents: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    firstname?: string;
    lastname?: string;
    email: string;
    emailverified: boolean;
    /**
     * ISO 8601, UTC
     */
    createdAt: string;
    /**
     * ISO 8601, UTC
     */
    updatedAt: string;
  }[];
  smartAssignment: boolean;
  workingStatus?: string;
  priority: string;
  followers: string[];
  tags: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    tag: string;
    color?: string;
    attributes?: {
      [k: string]: unknown;
    };
  }[];
  notes: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    text: string;
    createdBy: string;
    attributes?: {
      [k: string]: unknown;
    };
    /**
     * ISO 8601, UTC
     */
    createdAt: string;
    /**
     * ISO 8601, UTC
     */
    updatedAt: string;
  }[];
  auto_close?: number;
  snapshot: {
    lead?: Lead;
    /**
     * The requester at the time when the conversation was opened
     */
    requester?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      role: string;
      /**
       * 1: teammate, 2: visitor
       */
      roleType?: number;
      user_available?: boolean;
      status?: 'active' | 'disabled';
      trashed?: boolean;
      attributes?: {
        [k: string]: unknown;
      };
      settings?: {
        [k: string]: unknown;
      };
      max_assigned_chat?: number;
      number_assigned_requests?: number;
      /**
       * ISO 8601, UTC
       */
      last_login_at?: string;
      createdBy?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
      __v?: number;
      /**
       * 24 hexadecimal digits
       */
      id?: string;
      id_project: string;
      /**
       * The visitor's id; absent for people with an account
       */
      uuid_user?: string;
      profileStatus?: string;
      presence?: unknown;
      tags?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        tag: string;
        color?: string;
        attributes?: {
          [k: string]: unknown;
        };
      }[];
      permissions?: string[];
      isAuthenticated?: boolean;
      id_user?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        firstname?: string;
        lastname?: string;
        email?: string;
        emailverified?: boolean;
        /**
         * ISO 8601, UTC
         */
        createdAt?: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt?: string;
      };
    };
    department?: {
      [k: string]: unknown;
    };
    /**
     * Same as `agents` of the conversation
     */
    agents?: {
      /**
       * 24 hexadecimal digits
       */
      _id: string;
      role: string;
      /**
       * 1: teammate, 2: visitor
       */
      roleType?: number;
      user_available?: boolean;
      status?: 'active' | 'disabled';
      trashed?: boolean;
      max_assigned_chat?: number;
      number_assigned_requests?: number;
      /**
       * ISO 8601, UTC
       */
      last_login_at?: string;
      createdBy?: string;
      /**
       * ISO 8601, UTC
       */
      createdAt?: string;
      /**
       * ISO 8601, UTC
       */
      updatedAt?: string;
      __v?: number;
      /**
       * 24 hexadecimal digits
       */
      id?: string;
      id_project?: string;
      /**
       * The visitor's id; absent for people with an account
       */
      uuid_user?: string;
      profileStatus?: string;
      presence?: 'online' | 'offline';
      tags?: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        tag: string;
        color?: string;
        attributes?: {
          [k: string]: unknown;
        };
      }[];
      permissions?: string[];
      isAuthenticated?: boolean;
      id_user: {
        /**
         * 24 hexadecimal digits
         */
        _id: string;
        firstname?: string;
        lastname?: string;
        email?: string;
        emailverified?: boolean;
        /**
         * ISO 8601, UTC
         */
        createdAt?: string;
        /**
         * ISO 8601, UTC
         */
        updatedAt?: string;
      };
    }[];
    availableAgentsCount?: number;
  };
  attributes?: {
    [k: string]: unknown;
  };
  /**
   * The latest 1000 messages of a closed conversation, one per line, with the UTC time and the name of the sender
   */
  transcript?: string;
}
export interface ClosedVisitorConversation {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  /**
   * 24 hexadecimal digits
   */
  id: string;
  id_project: string;
  request_id: string;
  ticket_id?: number;
  requester_id: string | null;
  lead?: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    lead_id: string;
    fullname?: string;
    email?: string;
    phone?: string;
  };
  subject?: string;
  first_text: string;
  department?: string;
  participants: string[];
  participantsAgents: string[];
  participantsBots: string[];
  participatingBots: {
    [k: string]: unknown;
  }[];
  hasBot: boolean;
  status: number;
  preflight: boolean;
  draft?: boolean;
  channel: {
    name: string;
  };
  channelOutbound: {
    name: string;
  };
  sourcePage?: string;
  language?: string;
  userAgent?: string;
  location?: {
    [k: string]: unknown;
  };
  contact?: {
    [k: string]: unknown;
  };
  rating?: number;
  rating_message?: string;
  /**
   * ISO 8601, UTC
   */
  assigned_at?: string;
  /**
   * ISO 8601, UTC
   */
  first_response_at?: string;
  /**
   * Milliseconds
   */
  waiting_time?: number;
  /**
   * ISO 8601, UTC
   */
  closed_at?: string;
  closed_by?: string;
  /**
   * Milliseconds
   */
  duration?: number;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
  participatingAgents: {
    /**
     * 24 hexadecimal digits
     */
    _id: string;
    firstname?: string;
    lastname?: string;
  }[];
  /**
   * The latest 1000 messages of a closed conversation, one per line, with the UTC time and the name of the sender
   */
  transcript?: string;
}
export interface RoutingDecision {
  outcome: 'bot' | 'assigned' | 'pooled' | 'in_line' | 'nobody';
  /**
   * A user id, or `bot_` followed by the id of a bot
   */
  chosen: string | null;
  /**
   * Id of the group whose turn it was
   */
  group?: string;
  considered: {
    id_user: string;
    reason:
      | 'chosen'
      | 'bot_first'
      | 'pooled'
      | 'others_wait_longer'
      | 'project_closed'
      | 'not_available'
      | 'left_this_conversation'
      | 'at_capacity'
      | 'group_without_share'
      | 'turn_of_another_group'
      | 'has_more_open'
      | 'assigned_more_recently'
      | 'next_in_order'
      | 'changed_meanwhile'
      | 'selected_by_webhook';
    /**
     * Open conversations
     */
    open: number;
    /**
     * Maximum number of open conversations; null for no limit
     */
    capacity: number | null;
    last_assigned_at: string | null;
  }[];
  /**
   * Number of considered agents who are not listed
   */
  others: number;
  /**
   * ISO 8601, UTC
   */
  at: string;
  trigger: 'arrival' | 'preflight' | 'departments' | 'assign' | 'agent' | 'waiting';
  /**
   * Id of the department
   */
  department: string;
}
export interface ConversationChange {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  request_id: string;
  actor: Actor;
  /**
   * Kind of change: `CREATE`, `ASSIGNED`, or the `comment` of the `request.updated` event
   */
  comment: string;
  /**
   * The changed fields before the change
   */
  previous: {
    [k: string]: unknown;
  };
  /**
   * The changed fields after the change
   */
  current: {
    [k: string]: unknown;
  };
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
}
export interface Actor {
  type: string;
  id: string;
  name?: string;
}
export interface MailBlock {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  address: string;
  reason: string;
  mail?: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface LeadImportFault {
  /**
   * The line of the file on which the row begins, counted from 1
   */
  line: number;
  /**
   * Absent if the whole row is invalid
   */
  column?: string;
  reason: string;
  /**
   * The beginning of the rejected value
   */
  value?: string;
}
export interface LeadImport {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  name?: string;
  /**
   * Size of the file in bytes
   */
  size: number;
  /**
   * Bytes of the file processed so far
   */
  position: number;
  separator: string;
  columns: {
    column: string;
    /**
     * The field of the lead; absent for an ignored column
     */
    field?: string;
  }[];
  /**
   * `true`: nothing is stored
   */
  dry_run: boolean;
  status: 'queued' | 'running' | 'done' | 'failed';
  /**
   * Rows read so far, excluding the header
   */
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  /**
   * Rejected rows
   */
  failed: number;
  error?: {
    code: string;
    message: string;
  };
  /**
   * ISO 8601, UTC
   */
  finishedAt?: string;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Property {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  label: string;
  name: string;
  type: string;
  status: number;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Segment {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  name: string;
  match: 'all' | 'any';
  filters: {
    field: string;
    operator: '=' | '!=' | '>' | '>=' | 'starts with' | 'contains' | 'is null' | 'is not null';
    value?: _Schema2;
  }[];
  status: number;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Labels {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  data: LabelEntry[];
  attributes?: {
    [k: string]: unknown;
  };
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface LabelEntry {
  /**
   * 24 hexadecimal digits
   */
  _id?: string;
  lang: string;
  data: {
    [k: string]: string | string[];
  };
  category?: string;
  /**
   * Whether these texts are used for languages that have no texts
   */
  default: boolean;
}
export interface BuiltInLabels {
  lang: string;
  data: {
    [k: string]: string | string[];
  };
  /**
   * Whether this is a machine translation that has not been proofread
   */
  machine_made: boolean;
}
export interface CannedResponse {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  title?: string;
  text: string;
  attributes?: {
    [k: string]: unknown;
  };
  shared?: boolean;
  status: number;
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface Tag {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  id_project: string;
  tag: string;
  color?: string;
  attributes?: {
    [k: string]: unknown;
  };
  createdBy: string;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
  __v: number;
}
export interface PublicMessage {
  /**
   * 24 hexadecimal digits
   */
  _id: string;
  sender: string;
  senderFullname?: string;
  recipient: string;
  text?: string;
  type: string;
  metadata?: {
    [k: string]: unknown;
  };
  language?: string;
  channel: {
    name: string;
  };
  channel_type: string;
  status: number;
  /**
   * ISO 8601, UTC
   */
  createdAt: string;
  /**
   * ISO 8601, UTC
   */
  updatedAt: string;
}
