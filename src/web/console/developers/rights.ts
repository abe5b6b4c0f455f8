// Whose keys are meant, and who may change them.
import { queryText } from '../api.ts'
import { hasRole, isOfPlatform, tenantId } from '../session.ts'

/** For people of the platform, the tenant that they look at, as the query of a call. */
export const of = (): string => queryText({ tenantId: isOfPlatform.value ? tenantId.value : '' })
export const canManage = (): boolean => hasRole('developer', 'admin')
