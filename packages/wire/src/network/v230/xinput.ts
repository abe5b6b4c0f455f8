// The pages and forms of dialect 2.3.0, and their results (FIS12 §7.7).

import { isOneOf, keysOf } from '@lendloom/foundation/record'
import type { Static } from '@lendloom/foundation/schema'
import { type FormPage, type FormResult, resultInput } from '#wire/network/v203/xinput.ts'
import type { Portfolio } from './categories.ts'
import { type Answers, answeredData, type FormField, formFields, requiredData } from './form-data.ts'
import type { XInput } from './schema.ts'

const titles = {
  PERSONAL_INFORMATION_LAMF: 'Personal Information',
  CONSENT_APPROVAL: 'Consent Approval',
  KYC: 'KYC',
  LIEN_MARKING: 'Lien marking',
  EMANDATE: 'Emandate',
  LOAN_AGREEMENT: 'Loan Agreement',
  JOURNEY_OFFLINE: 'Journey Offline',
  SINGLE_REDIRECTION: 'Single Redirection',
  ACCOUNT_MONITORING: 'Account Monitoring',
}
export type Heading = keyof typeof titles
export const headings = keysOf(titles)

const headOf = (heading: Heading) => ({ descriptor: { code: heading, name: titles[heading] } })
const submitOptions = { resubmit: false, multiple_sumbissions: false }

/** A lender's page for the borrower: its step (`heading`), and all steps. */
export interface NewPage {
  id: string
  url: string
  heading: Heading
  headings: readonly Heading[]
}

export const pageInput = ({ id, url, heading, headings }: NewPage) => ({
  head: { ...headOf(heading), headings: [...headings] },
  form: { id, mime_type: 'application/html', url, ...submitOptions },
  required: true,
})

export const profileInput = (formId: string, portfolio: Portfolio) => ({
  head: { ...headOf('PERSONAL_INFORMATION_LAMF'), headings: ['PERSONAL_INFORMATION_LAMF'] },
  form: { id: formId, mime_type: 'none', data: requiredData(portfolio), ...submitOptions },
  required: true,
})

export const profileAnswer = (formId: string, answers: Answers) => ({
  head: headOf('PERSONAL_INFORMATION_LAMF'),
  form: { id: formId, data: answeredData(answers) },
})

export const consentInput = (formId: string, consentHandle: string) => ({
  head: { ...headOf('CONSENT_APPROVAL'), headings: ['PERSONAL_INFORMATION_LAMF', 'CONSENT_APPROVAL'] },
  form: { id: formId, mime_type: 'none', data: { consent_handler: consentHandle }, ...submitOptions },
  required: true,
})

/** The answer to a consent request; it has no status (FIS12 §17.3). */
export const consentAnswer = (formId: string, submissionId: string) => ({
  head: headOf('CONSENT_APPROVAL'),
  form: { id: formId },
  form_response: { submission_id: submissionId },
})

/** The platform's report of a completed step; unlike the lender's result, it names the step. */
export const answerInput = (heading: Heading, result: Omit<FormResult, 'status'>) => ({
  head: headOf(heading),
  ...resultInput({ ...result, status: 'SUCCESS' }),
})

type ReceivedForm = Pick<Static<typeof XInput>, 'head' | 'form'> | undefined

/** The step of an input, by its code or its name; null when it has none. */
export function headingOf(xinput: ReceivedForm): string | null {
  const { code, name } = xinput?.head?.descriptor ?? {}
  const stated = code || name?.trim().toUpperCase().replace(/\W+/g, '_')
  const [only, ...more] = xinput?.head?.headings ?? []
  return stated || (only !== undefined && more.length === 0 ? only : null)
}

/** Returns the page of an item; null if it has none. */
export function pageOf(xinput: ReceivedForm, warnings: string[]): FormPage | null {
  const { head, form } = xinput ?? {}
  if (!form?.url) return null
  const heading = headingOf(xinput)
  if (heading === null || !isOneOf(headings, heading)) warnings.push(`unknown form heading ${heading}`)
  return {
    id: form.id,
    url: form.url,
    mimeType: form.mime_type?.toLowerCase() ?? 'application/html',
    heading,
    headings: head?.headings ?? (heading === null ? [] : [heading]),
    index: null,
    resubmit: form.resubmit ?? false,
  }
}

/** The form of a catalogue's item that is answered in a directed search. */
export interface DataForm {
  id: string
  fields: FormField[]
}

export function dataFormOf(xinput: ReceivedForm): DataForm | null {
  const { form } = xinput ?? {}
  return form?.data ? { id: form.id, fields: formFields(form.data) } : null
}

export function consentHandleOf(xinput: ReceivedForm): string | null {
  const handler = xinput?.form?.data?.consent_handler
  const value = typeof handler === 'string' ? handler : handler?.value
  return value === undefined || value === '' ? null : String(value)
}
