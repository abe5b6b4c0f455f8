// The calls of the complaints area, and who may do what in it.

import { hasRole, isOfPlatform, ofTenant } from '../session.ts'

export const api = (path: string): string => ofTenant(`/complaints${path}`)

/** Whether the user handles complaints for the platform. */
export const isOfficer = (): boolean => isOfPlatform.value && hasRole('operator', 'grievance-officer', 'admin')

/** Whether the user may record a complaint that a borrower made by telephone. */
export const mayRecordComplaint = (): boolean => isOfficer() || (!isOfPlatform.value && hasRole('support', 'admin'))
