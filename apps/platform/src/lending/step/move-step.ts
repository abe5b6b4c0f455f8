// Step transitions from lender reports and borrower actions: ready, succeeded, skipped, failed, retried and revoked
// (D1 §3, FIS12 §13.3).

import { next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import type { StepReason } from '@lendloom/lending/reason/reason'
import type { Tx } from '@lendloom/postgres/sql'
import type { TxContext } from '#platform/context.ts'
import type { Journey, JourneyChange } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { type JourneyStep, noPage, type StepMove, type StepName, sealedPage, stepMachine, stepNamed } from './step.ts'
import { findStep, listSteps, storeStep } from './store.ts'

interface StepChange {
  step: StepName | JourneyStep
  move: StepMove
  change: Partial<JourneyStep>
  at: Date
}

type Effect = Pick<JourneyChange, 'decision' | 'lastBorrowerActAt'>

/** Moves a step, which is read unless given, and changes its journey too. Throws `wrong-state` if it cannot move. */
export async function moveStep(
  tx: Tx,
  journey: Journey,
  { step: nameOrStep, move, change, at }: StepChange,
  effect: Effect = {},
): Promise<JourneyStep> {
  const step = typeof nameOrStep === 'string' ? await findStep(tx, journey, nameOrStep) : nameOrStep
  const status = next(stepMachine, step.status, move)
  if (!status)
    throw new Refusal('wrong-state', `this step is ${step.status} and cannot be changed`, {
      step: step.name,
      stepStatus: step.status,
    })
  const moved = { ...step, ...change, status }
  await Promise.all([storeStep(tx, journey, moved, at), updateJourney(tx, journey, effect, at)])
  return moved
}

/** A step that the borrower can do now, on the lender's page or in our form. */
interface DueStep {
  name: StepName
  page: { url: string | null; formId: string; heading?: string | null }
  at: Date
}

/** Makes a step ready. The last error stays until the step succeeds. */
export const markStepReady = (
  { tx, seal }: Pick<TxContext, 'tx' | 'seal'>,
  journey: Journey,
  { name, page, at }: DueStep,
): Promise<JourneyStep> =>
  moveStep(tx, journey, {
    step: name,
    move: 'ready',
    change: {
      ...(page.url === null ? noPage : sealedPage(seal, journey, name, page.url)),
      formId: page.formId,
      heading: page.heading ?? null,
    },
    at,
  })

export const markStepSucceeded = (tx: Tx, journey: Journey, step: StepChange['step'], at: Date): Promise<JourneyStep> =>
  moveStep(tx, journey, { step, move: 'succeeded', change: { diagnostics: null }, at })

/**
 * Skips the three steps after `kyc`, which at a branch or on a lender's combined page also covers account, mandate and
 * signature. An account that was submitted before stays (FIS12 §13.3).
 */
export const skipStepsDoneAtBranch = (tx: Tx, journey: Journey, at: Date): Promise<StepName[]> =>
  skipSteps(tx, journey, ['bankMandate', 'eMandate', 'loanAgreement'], at)

/** Skips the steps that were not requested, and returns them. */
export async function skipSteps(tx: Tx, journey: Journey, names: StepName[], at: Date): Promise<StepName[]> {
  const steps = await listSteps(tx, journey)
  const pending = names.map((name) => stepNamed(steps, name)).filter(({ status }) => status === 'PENDING')
  await Promise.all(pending.map((step) => moveStep(tx, journey, { step, move: 'skipped', change: {}, at })))
  return pending.map(({ name }) => name)
}

/** The reason of a failure, shown to the borrower, and whether a retry may help. */
interface StepProblem {
  name: StepName
  problem: StepReason
  retryable: boolean
  at: Date
}

const moveWithProblem =
  (move: 'failed' | 'revoked') =>
  (tx: Tx, journey: Journey, { name, problem, retryable, at }: StepProblem): Promise<JourneyStep> =>
    moveStep(tx, journey, { step: name, move, change: { diagnostics: { problem, retryable } }, at })

/** Records a failure with the reason for the borrower. */
export const markStepFailed = moveWithProblem('failed')

/** Counts a retry. A report on a failed step means that the borrower tried again on the open page (D1 §3). */
export async function countRetry(tx: Tx, journey: Journey, name: StepName, at: Date): Promise<JourneyStep> {
  const step = await findStep(tx, journey, name)
  const change = { attempts: step.attempts + 1 }
  return step.status === 'FAILURE' ? moveStep(tx, journey, { step, move: 'begun', change, at }) : step
}

/** Revokes a success that the lender had reported and now rejects. */
export const markStepRevoked = moveWithProblem('revoked')
