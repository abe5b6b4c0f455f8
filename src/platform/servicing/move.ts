// One move of an operation by its table, kept and shown on the journey.

import type { PaymentReason } from '#contract/reason/reason.ts'
import type { Write } from '#kit/db/write.ts'
import { next } from '#kit/runtime/machine.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { type Servicing, type ServicingMove, servicingMachine } from './servicing.ts'
import { keepServicing } from './store.ts'

/** Moves it, with whatever else changes about it; a move that its table does not have changes nothing. */
export async function moveServicing(
  { tx, at }: Write,
  journey: Journey,
  operation: Servicing,
  { move, ...change }: Partial<Servicing> & { move: ServicingMove },
): Promise<void> {
  const status = next(servicingMachine, operation.status, move)
  if (!status) return
  await keepServicing(tx, { ...operation, ...change, status, updatedAt: at })
  await updateJourney(tx, journey, {}, at)
}

/** It came to nothing; `reason` is told to the borrower. Its page is not shown any more. */
export const giveUp = (
  ctx: Write,
  journey: Journey,
  operation: Servicing,
  { move, reason }: { move: 'failed' | 'expired'; reason: PaymentReason },
): Promise<void> => moveServicing(ctx, journey, operation, { move, reason, url: null })
