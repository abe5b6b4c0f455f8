// The roles that may use each route of the console.
import { inConsole } from '#platform/staff/session.ts'
import { common } from './route.ts'

/** For every signed-in person. */
export const byAnybody = { ...common, auth: inConsole() } as const
/** For a tenant's developers, or an operator on their behalf. */
export const byDevelopers = { ...common, auth: inConsole('developer', 'admin', 'operator') } as const
