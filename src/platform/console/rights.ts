// Roles that may use a route of the console.
import { inConsole } from '#platform/staff/session.ts'
import { common } from './route.ts'

/** Routes for every signed-in person. */
export const byAnyUser = { ...common, auth: inConsole() } as const
/** Routes for developers and admins, and for operators, who act on their behalf. */
export const byDevelopers = { ...common, auth: inConsole('developer', 'admin', 'operator') } as const
