// The calls of the lenders area.

import { ofTenant } from '../session.ts'

export const api = (path: string): string => ofTenant(`/lenders${path}`)
