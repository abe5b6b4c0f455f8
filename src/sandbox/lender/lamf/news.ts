// What a lender learns of the holdings before it answers a borrower's form; asked while nothing is locked (FIS12 §10.1).
import type { Answers } from '#contract/network/v230/form-data.ts'
import { readSearch } from '#contract/network/v230/search.ts'
import { call, type Incoming, Unreached } from '#kit/http-client.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Conversation } from '#sandbox/lender/conversation.ts'
import type { Denial } from '#sandbox/lender/decide.ts'
import { conversationOf, messageOf } from '#sandbox/lender/store.ts'
import type { World } from '#sandbox/world.ts'
import { readStatement, type Statement } from './read-statement.ts'

/** What the borrower holds, or why that cannot be known. */
export type PortfolioNews = Statement | { denial: Denial }

const mostBytes = 512 * 1024
const mostMs = 5_000

/** Null where the answer to the message does not depend on the holdings. */
export async function portfolioNews(
  { db, seal }: World,
  { conversationId, number }: { conversationId: string; number: string },
): Promise<PortfolioNews | null> {
  const { action, body } = await messageOf(db, seal, conversationId, BigInt(number))
  if (action !== 'search') return null
  const asked = readSearch(JSON.parse(body.toString('utf8')).message)
  if (asked.kind !== 'profile') return null
  const conversation = (await conversationOf(db, conversationId))!
  return statementAt(conversation, asked.answers.statementUpload)
}

async function statementAt(conversation: Conversation, file: Answers[string] | undefined): Promise<PortfolioNews> {
  const url = typeof file === 'string' ? file : file?.url
  if (!url?.trim()) return denied('80217', 'the statement is missing: statementUpload must have its address')
  const incoming = await fetched(reachable(conversation, url))
  if (incoming?.status !== 200) return denied('80220', 'the statement could not be fetched')
  try {
    return readStatement(incoming.body.toString('utf8'))
  } catch (error) {
    if (error instanceof Refusal) return denied('80221', error.message)
    throw error
  }
}

const denied = (code: string, message: string): PortfolioNews => ({ denial: { code, message } })

/** A file that lies with the buyer app, under the name that it has in its messages, is fetched where the buyer app is. */
function reachable({ bapUri, bapAddress }: Conversation, text: string): string {
  const url = URL.parse(text)
  if (!url || bapAddress === null || url.host !== new URL(bapUri).host) return text
  return `${new URL(bapAddress).origin}${url.pathname}${url.search}`
}

async function fetched(url: string): Promise<Incoming | null> {
  try {
    return await call({ method: 'GET', url, timeoutMs: mostMs, maxBytes: mostBytes })
  } catch (error) {
    if (error instanceof Unreached) return null
    throw error
  }
}
