// The five steps as the headless API returns them: status, required action, form fields and link.

import { ownValue, recordOf } from '@lendloom/foundation/record'
import { englishOf } from '@lendloom/lending/reason/reason'
import { BankMandateRequest } from '@lendloom/wire/headless/bank-mandate'
import type { RequiredAction, StepStatus } from '@lendloom/wire/headless/enums'
import type { Steps, StepView as WireStep } from '@lendloom/wire/headless/step'
import { allSteps, isDoneOnPage, type JourneyStep, stepNamed, stepNames } from '#platform/lending/step/step.ts'
import { fieldLabels } from './text-en.ts'

type LinkTo = (step: JourneyStep) => string

const isDone = ({ status }: JourneyStep): boolean => status === 'SUCCESS' || status === 'NOT_REQUIRED'

/** Returns all five steps. `isLive`: the offer is selected and its journey is active, so the steps can still change. */
export function toWireSteps(stored: JourneyStep[], isLive: boolean, linkTo: LinkTo): Steps {
  const steps = allSteps(stored)
  const current = isLive ? steps.find((step) => !isDone(step)) : undefined
  return recordOf(stepNames, (name) => {
    const step = stepNamed(steps, name)
    return toWireStep(step, isLive, step === current, linkTo)
  })
}

function toWireStep(step: JourneyStep, isLive: boolean, isCurrent: boolean, linkTo: LinkTo): WireStep {
  const actionRequired = isLive ? actionFor(step, isCurrent) : 'NONE'
  return {
    status: step.status,
    actionRequired,
    resource: resourceFor(step, actionRequired, linkTo),
    diagnostics: diagnosticsOf(step),
  }
}

const actionByFinalStatus: Partial<Record<StepStatus, RequiredAction>> = { SUCCESS: 'NONE', NOT_REQUIRED: 'NONE' }

function actionFor(step: JourneyStep, isCurrent: boolean): RequiredAction {
  const { name, status, diagnostics } = step
  const finalAction = actionByFinalStatus[status]
  if (finalAction) return finalAction
  if (status === 'FAILURE' && !diagnostics?.retryable) return 'NONE'
  if (status === 'PENDING') return isCurrent ? 'WAIT' : 'NONE'
  if (name === 'bankMandate' && !isDoneOnPage(step)) return status === 'IN_PROGRESS' ? 'WAIT' : 'SUBMIT_FORM'
  if (!isDoneOnPage(step)) return 'WAIT'
  return status === 'IN_PROGRESS' ? 'AWAIT_CALLBACK' : 'REDIRECT'
}

/** The link remains until the provider answers, because the borrower may reopen the page. */
function resourceFor(step: JourneyStep, action: RequiredAction, linkTo: LinkTo): WireStep['resource'] {
  if (action === 'SUBMIT_FORM') return { type: 'FORM', redirectURL: null, form: bankForm() }
  if (action === 'REDIRECT' || action === 'AWAIT_CALLBACK')
    return { type: 'REDIRECT', redirectURL: linkTo(step), form: {} }
  return { type: 'NONE', redirectURL: null, form: {} }
}

/** Returns the form for `POST steps/bank-mandate`, with the fields of its schema. */
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
