// The five steps between an accepted offer and the disbursal: their states, pages and order.

import type { Table } from '@lendloom/foundation/machine'
import type { ProductId } from '@lendloom/lending/product/products'
import type { StepReason } from '@lendloom/lending/reason/reason'
import { plainOrSealed } from '@lendloom/postgres/seal-plain'
import type { Seal } from '@lendloom/seal/seal'
import type { StepStatus } from '@lendloom/wire/headless/enums'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { products } from '#platform/lending/product/products.ts'

/** The steps in their usual order (D2 §2.3). */
export const stepNames = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const

export type StepName = (typeof stepNames)[number]

/**
 * `ready`: the borrower can act, also after a failure · `begun`: the borrower started · `succeeded`, `failed`: reported
 * by the provider, because the browser's return proves nothing (FIS12 §13.3) · `skipped`: not required · `revoked`: the
 * lender withdrew the success.
 */
export type StepMove = 'ready' | 'begun' | 'succeeded' | 'failed' | 'skipped' | 'revoked'

export const stepMachine: Table<StepStatus, StepMove> = {
  PENDING: { ready: 'READY', begun: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE', skipped: 'NOT_REQUIRED' },
  READY: { ready: 'READY', begun: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE' },
  IN_PROGRESS: { ready: 'READY', begun: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE' },
  FAILURE: { ready: 'READY', begun: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE' },
  SUCCESS: { revoked: 'FAILURE' },
  NOT_REQUIRED: {},
}

export interface JourneyStep {
  name: StepName
  status: StepStatus
  attempts: number
  /**
   * The address of the lender's page for this step; null when the step is our form or not due yet. It opens the page
   * without sign-in, so only rows of earlier versions have it in clear.
   */
  resourceUrl: string | null
  resourceUrlSealed: Buffer | null
  formId: string | null
  /** The network's name of the lender's page; null when it is not needed. */
  heading: string | null
  /** Why the last attempt failed, and whether a retry may help; `problem` is shown to the borrower. */
  diagnostics: { problem: StepReason; retryable: boolean; fields?: string[] } | null
  bankSealed: Buffer | null
  /** Time of the last transition; null before the first. */
  updatedAt: Date | null
}

/** Whether the borrower does the step on a page instead of in the app's form. */
export const isDoneOnPage = ({
  resourceUrl,
  resourceUrlSealed,
}: Pick<JourneyStep, 'resourceUrl' | 'resourceUrlSealed'>): boolean =>
  resourceUrl !== null || resourceUrlSealed !== null

const pageContext = ({ tenantId, journeyId }: JourneyKey, name: StepName): string =>
  `step.resource_url:${tenantId}:${journeyId}:${name}`

/** The address of the step's page. */
export const pageUrlOf = (
  seal: Seal,
  journey: JourneyKey,
  { name, resourceUrl, resourceUrlSealed }: Pick<JourneyStep, 'name' | 'resourceUrl' | 'resourceUrlSealed'>,
): string | null => plainOrSealed(seal, resourceUrl, resourceUrlSealed, pageContext(journey, name))

/** The change that gives a step this page. */
export const sealedPage = (
  seal: Seal,
  journey: JourneyKey,
  name: StepName,
  url: string,
): Pick<JourneyStep, 'resourceUrl' | 'resourceUrlSealed'> => ({
  resourceUrl: null,
  resourceUrlSealed: seal.json(url, pageContext(journey, name)),
})

/** The change that takes the page from a step. */
export const noPage: Pick<JourneyStep, 'resourceUrl' | 'resourceUrlSealed'> = {
  resourceUrl: null,
  resourceUrlSealed: null,
}

export const initialStep = (name: StepName): JourneyStep => ({
  name,
  status: 'PENDING',
  attempts: 0,
  ...noPage,
  formId: null,
  heading: null,
  diagnostics: null,
  bankSealed: null,
  updatedAt: null,
})

/** All five steps in order, with defaults for steps without a row. */
export const allSteps = (stored: JourneyStep[]): JourneyStep[] => stepNames.map((name) => stepNamed(stored, name))

/** Sorts stored steps as the borrower does them. */
export const inUsualOrder = (stored: JourneyStep[]): JourneyStep[] =>
  stored.toSorted((a, b) => stepNames.indexOf(a.name) - stepNames.indexOf(b.name))

/** A step of a journey; a step without a row has not begun. */
export const stepNamed = (stored: JourneyStep[], name: StepName): JourneyStep =>
  stored.find((step) => step.name === name) ?? initialStep(name)

/** Sorts by processing order. A loan against mutual funds begins with the bank account (FIS12 §10.2 row 5). */
const inProcessingOrder = (steps: readonly JourneyStep[], type: ProductId): JourneyStep[] =>
  products[type].isAccountFirst ? steps.toSorted((a, b) => +isAccount(b) - +isAccount(a)) : [...steps]

const isAccount = ({ name }: JourneyStep): boolean => name === 'bankMandate'

/** The borrower's next step: the first one that is not done. */
export const nextStepOf = (steps: readonly JourneyStep[], type: ProductId): JourneyStep | undefined =>
  inProcessingOrder(steps, type).find(({ status }) => status !== 'SUCCESS' && status !== 'NOT_REQUIRED')

/** Whether the borrower has signed: on the agreement page, or at a branch as part of `kyc` (FIS12 §13.3). */
export function isSigned(stored: JourneyStep[]): boolean {
  const statusOf = (name: StepName) => stepNamed(stored, name).status
  return (
    statusOf('loanAgreement') === 'SUCCESS' ||
    (statusOf('loanAgreement') === 'NOT_REQUIRED' && statusOf('kyc') === 'SUCCESS')
  )
}
