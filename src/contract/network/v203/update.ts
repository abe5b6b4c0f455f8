// Update and on_update: the lender's news about a confirmed loan, as its disbursal (FIS12 §8.1 rows 18–20).
import type { ConfirmedOrder } from './confirm.ts'
import { lenderOrder, type With } from './order.ts'

export const onUpdate = (order: ConfirmedOrder & With<'state'>) => ({ order: lenderOrder(order) })
