// The five steps for a client without our page: status, required action, form fields and link.
import type { RequiredAction } from '#contract/headless/fields.ts'
import { BankMandateRequest, type Steps, type StepView as WireStep } from '#contract/headless/step.ts'
import type { EmbedStepStatus } from '#contract/hosted/embed.ts'
import { englishOf } from '#contract/reason/reason.ts'
import { formatUuid, uuidBytes } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { ownValue, recordOf, required } from '#kit/runtime/record.ts'
import { allSteps, isDoneOnPage, type JourneyStep, type StepName, stepNamed, stepNames } from '#platform/step/store.ts'
import { fieldLabels } from './text-en.ts'

/** Returns the borrower's link for a step. */
type LinkTo = (step: JourneyStep) => string

const isDone = ({ status }: JourneyStep): boolean => status === 'SUCCESS' || status === 'NOT_REQUIRED'

/** Returns all five steps. `isLive`: the offer is chosen and its journey is open, so the steps can still change. */
export function toWireSteps(stored: JourneyStep[], isLive: boolean, linkTo: LinkTo): Steps {
  const steps = allSteps(stored)
  const due = isLive ? steps.find((step) => !isDone(step)) : undefined
  return recordOf(stepNames, (name) => {
    const step = stepNamed(steps, name)
    return stepWire(step, isLive, step === due, linkTo)
  })
}

function stepWire(step: JourneyStep, isLive: boolean, isDue: boolean, linkTo: LinkTo): WireStep {
  const actionRequired = isLive ? actionFor(step, isDue) : 'NONE'
  return {
    status: step.status,
    actionRequired,
    resource: resourceFor(step, actionRequired, linkTo),
    diagnostics: diagnosticsOf(step),
  }
}

/** The action of a finished step. */
const finishedAction: Partial<Record<EmbedStepStatus, RequiredAction>> = { SUCCESS: 'NONE', NOT_REQUIRED: 'NONE' }

function actionFor(step: JourneyStep, isDue: boolean): RequiredAction {
  const { name, status, resourceUrl, diagnostics } = step
  const actionAfterEnd = finishedAction[status]
  if (actionAfterEnd) return actionAfterEnd
  if (status === 'FAILURE' && !diagnostics?.retryable) return 'NONE'
  if (status === 'PENDING') return isDue ? 'WAIT' : 'NONE'
  if (name === 'bankMandate' && !isDoneOnPage(step)) return status === 'IN_PROGRESS' ? 'WAIT' : 'SUBMIT_FORM'
  if (resourceUrl === null) return 'WAIT'
  return status === 'IN_PROGRESS' ? 'AWAIT_CALLBACK' : 'REDIRECT'
}

/** The borrower may reopen a page, so its link remains until the provider answers. */
function resourceFor(step: JourneyStep, action: RequiredAction, linkTo: LinkTo): WireStep['resource'] {
  if (action === 'SUBMIT_FORM') return { type: 'FORM', redirectURL: null, form: bankForm() }
  if (action === 'REDIRECT' || action === 'AWAIT_CALLBACK')
    return { type: 'REDIRECT', redirectURL: linkTo(step), form: {} }
  return { type: 'NONE', redirectURL: null, form: {} }
}

/** The fields for `POST steps/bank-mandate`, from its schema. */
const bankForm = (): Record<string, unknown> => ({
  method: 'POST',
  fields: Object.entries(BankMandateRequest.properties).map(([name, schema]) => ({
    name,
    label: ownValue(fieldLabels, name),
    required: true,
    ...(name === 'accountType'
      ? { type: 'choice', options: ['savings', 'current'] }
      : { type: 'text', ...('pattern' in schema && { pattern: schema.pattern }) }),
  })),
})

const diagnosticsOf = ({ attempts, diagnostics }: JourneyStep): WireStep['diagnostics'] =>
  attempts === 0 && diagnostics === null
    ? null
    : {
        attempts,
        problem: englishOf(diagnostics?.problem ?? null),
        retryable: diagnostics?.retryable ?? false,
        ...(diagnostics?.fields && { fields: diagnostics.fields }),
      }

/** The content of a link: one step of one journey. */
interface LinkedStep {
  tenantId: string
  journeyId: string
  step: StepName
}

/** Enough time to open the link on the phone. Each read of the step returns a new link. */
const lifetimeSeconds = 1800

const context = 'step link'
const idBytes = 16

/** Returns a link's token, sealed against forgery and not stored. Valid for half an hour from `at`. */
export function stepLink(seal: Seal, { tenantId, journeyId, step }: LinkedStep, at: Date): string {
  const expiry = Buffer.alloc(6)
  expiry.writeUIntBE(secondsAfter(at, lifetimeSeconds).getTime(), 0, 6)
  const plain = [uuidBytes(tenantId), uuidBytes(journeyId), Buffer.from([stepNames.indexOf(step)]), expiry]
  return seal.bytes(Buffer.concat(plain), context).toString('base64url')
}

/** Reads a token; throws `absent` when it is forged or expired. */
export function openLink(seal: Seal, token: string, at: Date): LinkedStep {
  const plain = unseal(seal, token)
  const expiresAt = plain?.readUIntBE(2 * idBytes + 1, 6) ?? 0
  if (!plain || expiresAt <= at.getTime()) throw new Refusal('absent', 'this link has expired')
  return {
    tenantId: formatUuid(plain.subarray(0, idBytes)),
    journeyId: formatUuid(plain.subarray(idBytes, 2 * idBytes)),
    step: required(stepNames[plain.readUInt8(2 * idBytes)], 'the step of a link'),
  }
}

function unseal(seal: Seal, token: string): Buffer | null {
  try {
    return seal.open(Buffer.from(token, 'base64url'), context)
  } catch {
    return null
  }
}
