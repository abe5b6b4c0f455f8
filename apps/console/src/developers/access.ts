// The roles that may change keys and origins, and the name of a key in examples.
import { hasRole } from '../session.ts'

export const canManage = (): boolean => hasRole('developer', 'admin')

/** The environment variable from which the examples of calls take the key. */
export const keyVariable = 'LENDLOOM_API_KEY'
