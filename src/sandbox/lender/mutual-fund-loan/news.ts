// What a lender learns of the holdings before it answers a borrower's form; asked while nothing is locked (FIS12 §10.1).
import { readPortfolio } from '#contract/hosted/read-portfolio.ts'
import type { Answers } from '#contract/network/v230/form-data.ts'
import { readSearch } from '#contract/network/v230/search.ts'
import { call, type HttpAnswer, UnreachableError } from '#kit/http/client.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { LenderRequest, PortfolioStatus } from '#sandbox/lender/core/buyer-request.ts'
import { type Conversation, nextStatus } from '#sandbox/lender/core/conversation.ts'
import type { ProductPolicy } from '#sandbox/lender/core/product.ts'
import { requireLamfLending } from './lending.ts'
import { lamfApplicant } from './profile.ts'
import { askToShare, sharedHoldings } from './shared-holdings.ts'

const mostBytes = 512 * 1024
const mostMs = 5_000

/** Null where the answer to the message does not depend on the holdings. */
export async function portfolioNews(
  ctx: Context,
  policy: ProductPolicy,
  conversation: Conversation,
  { action, message }: LenderRequest,
): Promise<PortfolioStatus | null> {
  if (action !== 'search') return null
  const request = readSearch(message)
  if (request.kind === 'broadcast' || nextStatus(policy.product, conversation, 'offer') === undefined) return null
  if (requireLamfLending(conversation.lender).way.portfolio !== 'account-aggregator')
    return request.kind === 'profile' ? statementAt(conversation, request.answers.statementUpload) : null
  if (request.kind === 'consent') return conversation.consentHandle === null ? null : sharedHoldings(ctx, conversation)
  const form = lamfApplicant(request.answers)
  return 'denial' in form ? null : askToShare(ctx, policy, conversation, form.applicant)
}

async function statementAt(conversation: Conversation, file: Answers[string] | undefined): Promise<PortfolioStatus> {
  const url = typeof file === 'string' ? file : file?.url
  if (!url?.trim()) return denied('80217', 'the statement is missing: statementUpload must have its address')
  const incoming = await fetched(reachable(conversation, url))
  if (incoming?.status !== 200) return denied('80220', 'the statement could not be fetched')
  const read = readPortfolio(incoming.body.toString('utf8'))
  const [first] = read.notUnderstood
  return first && read.holdings.length === 0
    ? denied('80221', `the statement cannot be read: ${first.why} ${first.path}`.trim())
    : read
}

const denied = (code: string, message: string): PortfolioStatus => ({ denial: { code, message } })

/** A file that lies with the buyer app, under the name that it has in its messages, is fetched where the buyer app is. */
function reachable({ bapUri, bapAddress }: Conversation, text: string): string {
  const url = URL.parse(text)
  if (!url || bapAddress === null || url.host !== new URL(bapUri).host) return text
  return `${new URL(bapAddress).origin}${url.pathname}${url.search}`
}

async function fetched(url: string): Promise<HttpAnswer | null> {
  try {
    return await call({ method: 'GET', url, timeoutMs: mostMs, maxBytes: mostBytes })
  } catch (error) {
    if (error instanceof UnreachableError) return null
    throw error
  }
}
