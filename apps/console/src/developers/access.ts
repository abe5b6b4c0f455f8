// The roles that may change keys and origins.
import { hasRole } from '../session.ts'

export const canManage = (): boolean => hasRole('developer', 'admin')
