// Plays the page of a sandbox's lender with stops against mutual funds, up to the order that it places (FIS12 §27.2).
import { required } from '@lendloom/foundation/required'
import { readForm } from '@lendloom/wire/network/html-form'
import { select } from '@lendloom/wire/network/v230/select-to-confirm'
import { post, type ReceivedCallback } from './buyer.ts'
import { formUrl } from './journey.ts'
import { draftFor, type LamfConversation, sendOptions } from './lamf-journey.ts'
import { type lamfSandbox, orderIn, textAt } from './lamf-sandbox.ts'

type LamfSandbox = Awaited<ReturnType<typeof lamfSandbox>>
export type Quoted = Awaited<ReturnType<LamfSandbox['proceedToPledgedQuote']>>

/** The lenders with stops, for `lamfSandbox`. */
export const lendersWithStops = {
  env: { SANDBOX_LENDER_VERSIONS: 'tulsi=2.3.0-stops,sahyadri=2.3.0-stops' },
  domain: 'ONDC:FIS12:SL',
} as const

export function fundsOnOnePage({ buyer, proceedToPledgedQuote }: Pick<LamfSandbox, 'buyer' | 'proceedToPledgedQuote'>) {
  /** Presses a button on the page, with its fields as the sandbox has filled them in. */
  async function press({ quote }: Quoted, outcome: 'approve' | 'decline'): Promise<string> {
    const page = formUrl(quote)
    const { fields, action } = readForm(await textAt(page), page)
    const filled = fields.flatMap(({ name, value }) => (value === null || name === 'outcome' ? [] : [[name, value]]))
    await post(action, { ...Object.fromEntries(filled), outcome })
    return textAt(page)
  }

  async function reportsOf(conversation: Quoted, count: number): Promise<ReceivedCallback[]> {
    const reports: ReceivedCallback[] = []
    while (reports.length < count) reports.push(await buyer.receive('on_status', conversation))
    return reports
  }

  /** Tells the lender that the page is done; returns what it answers. */
  async function tellDone(conversation: Quoted, submissionId: string, formId = 'FORM-LAMF-ONE-PAGE') {
    const answer = { formId, submissionId, heading: 'SINGLE_REDIRECTION' } as const
    const message = select({ ...draftFor(conversation, []), answer })
    await buyer.send('select', message, sendOptions(conversation))
    return buyer.receive('on_select', conversation)
  }

  /** Plays up to the last report about the page. */
  async function completedPage(slug: string, digits = '1234') {
    const conversation = await proceedToPledgedQuote(slug, digits)
    const ending = await press(conversation, 'approve')
    const reports = await reportsOf(conversation, 4)
    return { ...conversation, ending, reports, submissionId: orderIn(reports.at(-1)!).formResponse!.submissionId! }
  }

  /** Plays up to an open line. */
  async function openLine(digits?: string): Promise<OpenLine> {
    const page = await completedPage('tulsi', digits)
    await tellDone(page, page.submissionId)
    const { orderId, line } = orderIn(await buyer.receive('on_confirm', page))
    return { ...page, orderId: required(orderId, 'order of the line'), limit: required(line, 'line').limit }
  }
  return { press, reportsOf, tellDone, completedPage, openLine }
}

export interface OpenLine extends LamfConversation {
  orderId: string
  limit: bigint
}
