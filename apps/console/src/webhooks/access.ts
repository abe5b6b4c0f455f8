// The calls of the webhooks area, and who may act in it.

import { hasRole, ofTenant } from '../session.ts'

export const api = (path: string, tenant?: string): string => ofTenant(`/webhooks${path}`, tenant)

/** Whether the user may change endpoints and replay deliveries. */
export const mayAct = (): boolean => hasRole('developer', 'admin', 'operator')
