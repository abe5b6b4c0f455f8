// The roles of people of the console, as plain lists that browsers load too.

/** Of people of the platform, from the least that they may do. */
export const platformRoles = ['viewer', 'operator', 'grievance-officer', 'admin'] as const
/** Of people of a tenant. */
export const tenantRoles = ['viewer', 'developer', 'support', 'admin'] as const
export const roles = ['viewer', 'operator', 'grievance-officer', 'developer', 'support', 'admin'] as const
