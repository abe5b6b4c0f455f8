// The five steps between an accepted offer and the money: their states as a table, and what each looks like when untouched.

import type { StepStatus } from '#contract/hosted/embed.ts'
import type { ProductId } from '#contract/product/products.ts'
import type { StepReason, Stored } from '#contract/reason/reason.ts'
import type { Table } from '#kit/runtime/machine.ts'
import { products } from '#platform/product/products.ts'

/** D2 §2.3. */
export const stepNames = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const
export type StepName = (typeof stepNames)[number]

/**
 * `ready` the borrower can act, also again after a failure · `begun` the borrower went to do it · `succeeded`, `failed`
 * the provider's proof, never the browser's return (FIS12 §13.3) · `takenBack` whoever told the success does not stand by it.
 */
export type StepMove = 'ready' | 'begun' | 'succeeded' | 'failed' | 'spared' | 'takenBack'

export const stepMachine: Table<StepStatus, StepMove> = {
  PENDING: { ready: 'READY', begun: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE', spared: 'NOT_REQUIRED' },
  READY: { ready: 'READY', begun: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE' },
  IN_PROGRESS: { ready: 'READY', begun: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE' },
  FAILURE: { ready: 'READY', begun: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE' },
  SUCCESS: { takenBack: 'FAILURE' },
  NOT_REQUIRED: {},
}

export interface Step {
  name: StepName
  status: StepStatus
  attempts: number
  /** The lender's page for this step, null where the step is a form of ours or not yet due. */
  resourceUrl: string | null
  formId: string | null
  /** Which page of the lender's it is, as the network calls it; null where nobody has to know. */
  heading: string | null
  /** Why the last attempt failed, and whether another one may help; `problem` is told to the borrower. */
  diagnostics: { problem: Stored<StepReason>; retryable: boolean; fields?: string[] } | null
  bankSealed: Buffer | null
  /** When it last moved; null while nothing has moved it. */
  updatedAt: Date | null
}

/** Whether the borrower does it on a page, and not in a form of the app: the account is named in a form, its statement shared on a page. */
export const isDoneOnPage = ({ resourceUrl }: Pick<Step, 'resourceUrl'>): boolean => resourceUrl !== null

export const untouched = (name: StepName): Step => ({
  name,
  status: 'PENDING',
  attempts: 0,
  resourceUrl: null,
  formId: null,
  heading: null,
  diagnostics: null,
  bankSealed: null,
  updatedAt: null,
})

/** All five, in their order, whatever is stored. */
export const allSteps = (stored: Step[]): Step[] => stepNames.map((name) => stepNamed(stored, name))

/** The step of that name, whatever is stored. */
export const stepNamed = (stored: Step[], name: StepName): Step =>
  stored.find((step) => step.name === name) ?? untouched(name)

/** In the order in which they are done: a lender against mutual funds wants to know the account first (FIS12 §10.2 row 5). */
const inTurn = (steps: readonly Step[], type: ProductId): Step[] =>
  products[type].isAccountFirst ? steps.toSorted((a, b) => +isAccount(b) - +isAccount(a)) : [...steps]

const isAccount = ({ name }: Step): boolean => name === 'bankMandate'

/** The first that is not done decides what the borrower does next. */
export const dueOf = (steps: readonly Step[], type: ProductId): Step | undefined =>
  inTurn(steps, type).find(({ status }) => status !== 'SUCCESS' && status !== 'NOT_REQUIRED')

/** Whether the borrower has signed: the agreement on its page, or at the branch, where the visit is the step `kyc` (FIS12 §13.3). */
export function isSigned(stored: Step[]): boolean {
  const of = (name: StepName) => stepNamed(stored, name).status
  return of('loanAgreement') === 'SUCCESS' || (of('loanAgreement') === 'NOT_REQUIRED' && of('kyc') === 'SUCCESS')
}

export const bankContext = (tenantId: string, journeyId: string): string => `step.bank:${tenantId}:${journeyId}`
