// The five steps for a client without our page: due or not, the actor, the fields, and the link.
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

/** All five steps; `live` tells whether they can still change: the offer is the chosen one and its journey is open. */
export function stepsWire(stored: JourneyStep[], live: boolean, linkTo: LinkTo): Steps {
  const steps = allSteps(stored)
  const due = live ? steps.find((step) => !isDone(step)) : undefined
  return recordOf(stepNames, (name) => {
    const step = stepNamed(steps, name)
    return stepWire(step, live, step === due, linkTo)
  })
}

function stepWire(step: JourneyStep, live: boolean, isDue: boolean, linkTo: LinkTo): WireStep {
  const actionRequired = live ? actionFor(step, isDue) : 'NONE'
  return {
    status: step.status,
    actionRequired,
    resource: resourceFor(step, actionRequired, linkTo),
    diagnostics: diagnosticsOf(step),
  }
}

/** The action of a step that does not need the borrower. */
const idle: Partial<Record<EmbedStepStatus, RequiredAction>> = { SUCCESS: 'NONE', NOT_REQUIRED: 'NONE' }

function actionFor(step: JourneyStep, isDue: boolean): RequiredAction {
  const { name, status, resourceUrl, diagnostics } = step
  const settled = idle[status]
  if (settled) return settled
  if (status === 'FAILURE' && !diagnostics?.retryable) return 'NONE'
  if (status === 'PENDING') return isDue ? 'WAIT' : 'NONE'
  if (name === 'bankMandate' && !isDoneOnPage(step)) return status === 'IN_PROGRESS' ? 'WAIT' : 'SUBMIT_FORM'
  if (resourceUrl === null) return 'WAIT'
  return status === 'IN_PROGRESS' ? 'AWAIT_CALLBACK' : 'REDIRECT'
}

/** A page that was opened may be opened again: the link stays as long as the provider has not answered. */
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

/** Long enough to fetch the phone; reading the step returns a new one. */
const goodForSeconds = 1800

const context = 'step link'
const idBytes = 16

/** The sealed token of a link, which cannot be forged or read and needs no row. Valid for half an hour from `at`. */
export function stepLink(seal: Seal, { tenantId, journeyId, step }: LinkedStep, at: Date): string {
  const ends = Buffer.alloc(6)
  ends.writeUIntBE(secondsAfter(at, goodForSeconds).getTime(), 0, 6)
  const plain = [uuidBytes(tenantId), uuidBytes(journeyId), Buffer.from([stepNames.indexOf(step)]), ends]
  return seal.bytes(Buffer.concat(plain), context).toString('base64url')
}

/** Reads a token; refused as `absent` when we never made it, or when its time has passed. */
export function openLink(seal: Seal, token: string, at: Date): LinkedStep {
  const plain = opened(seal, token)
  const ends = plain?.readUIntBE(2 * idBytes + 1, 6) ?? 0
  if (!plain || ends <= at.getTime()) throw new Refusal('absent', 'this link has expired')
  return {
    tenantId: formatUuid(plain.subarray(0, idBytes)),
    journeyId: formatUuid(plain.subarray(idBytes, 2 * idBytes)),
    step: required(stepNames[plain.readUInt8(2 * idBytes)], 'the step of a link'),
  }
}

function opened(seal: Seal, token: string): Buffer | null {
  try {
    return seal.open(Buffer.from(token, 'base64url'), context)
  } catch {
    return null
  }
}
