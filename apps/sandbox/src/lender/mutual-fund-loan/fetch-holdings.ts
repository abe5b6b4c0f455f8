// Fetches holdings for a loan against mutual funds (LAMF), without a lock on the conversation (FIS12 §10.1).

import { call, type HttpAnswer, UnreachableError } from '@lendloom/http/client'
import { readPortfolio } from '@lendloom/wire/hosted/read-portfolio'
import type { Answers } from '@lendloom/wire/network/v230/form-data'
import { readSearch } from '@lendloom/wire/network/v230/search'
import type { Context } from '#sandbox/core/context.ts'
import type { LenderRequest, PortfolioStatus } from '#sandbox/lender/core/buyer-request.ts'
import { type Conversation, nextStatus } from '#sandbox/lender/core/conversation.ts'
import type { ProductPolicy } from '#sandbox/lender/core/product.ts'
import { requireLamfLending } from './lenders.ts'
import { lamfApplicant } from './profile-form.ts'
import { requestHoldingsConsent, sharedHoldings } from './shared-holdings.ts'

const maxBytes = 512 * 1024
const timeoutMs = 5_000

/** The holdings, or why they are unavailable. Null when the lender's answer does not depend on them. */
export async function fetchPortfolio(
  ctx: Context,
  policy: ProductPolicy,
  conversation: Conversation,
  { action, message }: LenderRequest,
): Promise<PortfolioStatus | null> {
  if (action !== 'search') return null
  const request = readSearch(message)
  if (request.kind === 'broadcast' || nextStatus(policy.product, conversation, 'offer') === undefined) return null
  if (requireLamfLending(conversation.lender).categories.portfolio !== 'account-aggregator')
    return request.kind === 'profile' ? statementAt(conversation, request.answers.statementUpload) : null
  if (request.kind === 'consent') return conversation.consentHandle === null ? null : sharedHoldings(ctx, conversation)
  const form = lamfApplicant(request.answers)
  return 'denial' in form ? null : requestHoldingsConsent(ctx, policy, conversation, form.applicant)
}

async function statementAt(conversation: Conversation, file: Answers[string] | undefined): Promise<PortfolioStatus> {
  const url = typeof file === 'string' ? file : file?.url
  if (!url?.trim()) return denialResult('80217', 'the statement is missing: statementUpload must have its URL')
  const answer = await fetchOrNull(reachableUrl(conversation, url))
  if (answer?.status !== 200) return denialResult('80220', 'the statement could not be fetched')
  const portfolio = readPortfolio(answer.body.toString('utf8'))
  const [first] = portfolio.notUnderstood
  return first && portfolio.holdings.length === 0
    ? denialResult('80221', `the statement cannot be read: ${first.why} ${first.path}`.trim())
    : portfolio
}

const denialResult = (code: string, message: string): PortfolioStatus => ({ denial: { code, message } })

/** Replaces the host of a buyer app's file by the app's address in the directory, if its own has no reachable port. */
function reachableUrl({ bapUri, bapAddress }: Conversation, text: string): string {
  const url = URL.parse(text)
  if (!url || bapAddress === null || url.host !== new URL(bapUri).host) return text
  return `${new URL(bapAddress).origin}${url.pathname}${url.search}`
}

async function fetchOrNull(url: string): Promise<HttpAnswer | null> {
  try {
    return await call({ method: 'GET', url, timeoutMs, maxBytes })
  } catch (error) {
    if (error instanceof UnreachableError) return null
    throw error
  }
}
