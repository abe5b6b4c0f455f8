// Who may act in the mail area.

import { hasRole } from '../session.ts'

/** Whether the user may act on mail; viewers may only read the list. */
export const mayAct = (): boolean => hasRole('operator', 'grievance-officer', 'admin')
