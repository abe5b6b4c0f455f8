// Writes and reads `xinput`, which is the form or page of a step, or its result (FIS12 §7.7).

import { isOneOf } from '@lendloom/foundation/record'
import type { Static } from '@lendloom/foundation/schema'
import { type FormOutcome, type FormStatus, formOutcome } from '#wire/network/form-status.ts'
import type { XInput } from './schema.ts'
import { type Heading, headings, type Variant, variant203 } from './variant.ts'

/** Returns the code of a heading, which a lender may write as prose, such as `Know your Customer` (FIS12 §19.1). */
export function headingFrom(text: string): string {
  const normalized = text.trim().toUpperCase().replace(/\W+/g, '_')
  return normalized === 'KNOW_YOUR_CUSTOMER' ? 'KYC' : normalized
}

/** The heading of a second form about the borrower, which some lenders have instead of an amount form. */
export const customerFormHeading = 'CUSTOMER_INFORMATION'

/** We fill `text/html` on behalf of the borrower; the borrower fills `application/html` on the lender's page. */
export type PageKind = 'text/html' | 'application/html'

/** A page to write. `heading` is its step, and `headings` are all steps of the stage. */
export interface NewPage {
  id: string
  url: string
  mimeType: PageKind
  heading: Heading
  headings: readonly Heading[]
  /** The title, if it differs from the title of the step. */
  title?: string
  resubmit?: boolean
}

export function pageInput(page: NewPage, { stageTitles, headingTexts }: Variant = variant203) {
  const { id, url, mimeType, heading, headings, title, resubmit = false } = page
  const stageTitle = stageTitles?.[headings[0] ?? heading]
  return {
    head: {
      descriptor: { name: stageTitle ?? title ?? titles[heading] },
      index: { min: 0, cur: headings.indexOf(heading), max: headings.length - 1 },
      headings: headings.map((each) => headingTexts[each] ?? each),
    },
    // The network misspells the key `multiple_sumbissions`.
    form: { id, mime_type: mimeType, url, resubmit, multiple_sumbissions: false },
    required: true,
  }
}

const titles: Record<Heading, string> = {
  PERSONAL_INFORMATION: 'Personal Information',
  SET_LOAN_AMOUNT: 'Set Loan Amount',
  KYC: 'KYC',
  KYC_OFFLINE: 'KYC Offline',
  JOURNEY_OFFLINE: 'Journey Offline',
  SINGLE_REDIRECTION: 'Single Redirection',
  ACCOUNT_INFORMATION: 'Account Information',
  EMANDATE: 'Emandate',
  LOAN_AGREEMENT: 'Loan Agreement',
}

export interface FormResult {
  formId: string
  status: FormStatus
  submissionId: string
}

export const resultInput = ({ formId, status, submissionId }: FormResult) => ({
  form: { id: formId },
  form_response: { status, submission_id: submissionId },
})

/** A received page. `heading` is the step of the page; null if the lender names no step. */
export interface FormPage {
  id: string
  url: string
  mimeType: string
  heading: string | null
  headings: string[]
  index: { min: number; cur: number; max: number } | null
  resubmit: boolean
}

export interface FormResponse {
  formId: string | null
  status: string
  outcome: FormOutcome
  submissionId: string | null
}

/** Returns the page of an item; null if the item has no page. */
export function pageOf(
  xinput: Static<typeof XInput> | undefined,
  warnings: string[],
  variant: Variant = variant203,
): FormPage | null {
  const { head, form } = xinput ?? {}
  if (!form?.url) return null
  if (!head?.index) warnings.push('xinput.head.index is absent')
  const heading = headingOf(head, variant)
  if (heading === null || (heading !== customerFormHeading && !isOneOf(headings, heading)))
    warnings.push(`unknown form heading ${heading}`)
  return {
    id: form.id,
    url: form.url,
    mimeType: form.mime_type?.toLowerCase() ?? 'text/html',
    heading,
    headings: head?.headings?.map(headingFrom) ?? (heading === null ? [] : [heading]),
    index: head?.index ?? null,
    resubmit: form.resubmit ?? false,
  }
}

/**
 * Finds the step by index, else by name. The name shows a second form about the borrower, unless it names the stage; and the
 * step, if the index does not fit the headings: one of them is missing, so that the index may point at the next step.
 */
function headingOf(head: Static<typeof XInput>['head'], { stageTitles }: Variant): string | null {
  const name = head?.descriptor?.name
  const headingByName = name === undefined ? null : headingFrom(name)
  if (headingByName === customerFormHeading && stageTitles === null) return headingByName
  const isNamed = stageTitles === null && isOneOf(headings, headingByName)
  if (isNamed && head?.index && head.headings && head.index.max !== head.headings.length - 1) return headingByName
  const headingByIndex = head?.headings?.[head.index?.cur ?? 0]
  return headingByIndex === undefined ? headingByName : headingFrom(headingByIndex)
}

export function responseOf(xinput: Static<typeof XInput> | undefined, warnings: string[]): FormResponse | null {
  const { form, form_response: response } = xinput ?? {}
  if (!response) return null
  const status = response.status.toUpperCase()
  const outcome = formOutcome(status)
  if (outcome === null) warnings.push(`unknown form status ${response.status}`)
  return {
    formId: form?.id ?? null,
    status,
    outcome: outcome ?? 'waiting',
    submissionId: response.submission_id || null,
  }
}
