// POST /lenders/{lender}/ondc/{action}: verifies, stores and acknowledges a request, which a worker answers later.

import { secondsAfter } from '@lendloom/foundation/clock'
import { fieldsOf, isOneOf } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { readJson } from '@lendloom/http/body'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import {
  ack,
  type Dialect,
  dialectIn,
  expiresAt,
  type MessageContext,
  type NetworkDomain,
  olderDialects,
  requireContext,
} from '@lendloom/wire/network/context'
import { nackCodes } from '@lendloom/wire/network/errors'
import { extraBodyFaults } from '@lendloom/wire/network/extra/extra-messages'
import { type AnyRequest, isAnyRequest, isIgmRequest } from '@lendloom/wire/network/igm/actions'
import { igmBodyFaults, igmCodecs, igmVersionOf, readRequestedIssueId } from '@lendloom/wire/network/igm/codec'
import { bodyFaultsIn } from '@lendloom/wire/network/received-body-faults'
import { isExtraAction } from '@lendloom/wire/network/sequence'
import { readDrawdownConfirm, readDrawdownInit } from '@lendloom/wire/network/v230/drawdown'
import { isDrawdownRequest } from '@lendloom/wire/network/v230/schema'
import { readSearch as readSearchIn230 } from '@lendloom/wire/network/v230/search'
import { readBuyerOrder } from '@lendloom/wire/network/v230/select-to-confirm'
import { readUpdate } from '@lendloom/wire/network/v230/update-and-status'
import { variants } from '@lendloom/wire/network/variants'
import { type Context, route } from '#sandbox/core/context.ts'
import { dialectOf, domainOf, type LenderVersion } from '#sandbox/core/lender-version.ts'
import { gatewayId } from '#sandbox/gateway/broadcast-search.ts'
import type { Conversation, LoanProduct } from '#sandbox/lender/core/conversation.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import { type LenderPolicy, policyOf, subscriberId } from '#sandbox/lender/core/lender-policies.ts'
import { hasReceived, openConversation, storeMessage } from '#sandbox/lender/core/store.ts'
import { openDrawdown } from '#sandbox/lender/mutual-fund-loan/store.ts'
import { answerKind } from '#sandbox/lender/process/answer-requests.ts'
import { lends, policyFor, products } from '#sandbox/lender/products/products.ts'
import { verifySender } from '#sandbox/registry/lookup-route.ts'
import type { ParticipantRow } from '#sandbox/registry/store.ts'
import { requestedConversation } from './requested-conversation.ts'

export const receive = route({
  method: 'POST',
  path: '/lenders/{lender}/ondc/{action}',
  section: 'FIS12 §2, §3',
  summary: 'A request of a buyer app to a lender',
  accepts: 'raw',
  params: Type.Object({ lender: Type.String(), action: Type.String() }),
  async handle({ params, raw, headers, at }, ctx) {
    const policy = policyOf(params.lender)
    const { action } = params
    if (!policy || !isAnyRequest(action)) throw new Refusal('absent', 'there is no such endpoint')
    const { dialect, context, message } = readBody(policy, action, raw)
    const sender = await verifiedSender(ctx, { raw, headers, at }, context)
    checkAddressee(policy, context)
    if (expiresAt(context) <= at)
      throw new Refusal('wrong-state', 'the ttl of the message has expired', { code: staleCode })
    const product = isBroadcast(context) ? requestedProduct(dialect, message) : null
    if (isBroadcast(context) && (product === null || !lends(policy, product))) return ack
    if (product !== null && !answers(ctx, policy, product, { dialect, domain: context.domain })) return ack
    const received = { action, product, dialect, context, message, sender, raw, at }
    await ctx.db.tx((tx) => storeRequest(tx, ctx, policy, received))
    return ack
  },
})

/** The validated body. Throws `invalid` with every wrong field. */
function readBody({ igmVersion }: LenderPolicy, action: AnyRequest, raw: Buffer) {
  const body = readJson(raw)
  const dialect = dialectIn(body)
  const [first, ...more] = isIgmRequest(action)
    ? igmBodyFaults(action, body, dialect)
    : isExtraAction(action)
      ? extraBodyFaults(action, body, dialect)
      : bodyFaultsIn[dialect](action, body)
  if (first) throw invalid(first, ...more)
  const { message } = fieldsOf(body)
  if (action === 'issue') {
    if (igmVersionOf(message) !== igmVersion)
      throw invalid({ path: 'message.issue', message: `must be in IGM ${igmVersion}` })
    igmCodecs[igmVersion].readIssue(message)
  }
  if (action === 'issue_status') readRequestedIssueId(message)
  if (dialect === '2.3.0') readersIn230[action]?.(message)
  return { dialect, context: requireContext(body), message }
}

/** Readers that throw on unreadable units and forms. Other faults are answered with an error callback. */
const readersIn230: Partial<Record<AnyRequest, (message: unknown) => unknown>> = {
  search: readSearchIn230,
  select: readBuyerOrder,
  init: (message) => (isDrawdownRequest(message) ? readDrawdownInit : readBuyerOrder)(message),
  confirm: (message) => (isDrawdownRequest(message) ? readDrawdownConfirm : readBuyerOrder)(message),
  update: readUpdate,
}

/** The requested product; null when no lender of the sandbox offers it. */
const requestedProduct = (dialect: Dialect, message: unknown): LoanProduct | null =>
  Object.values(products).find(
    (product) => familyOf(product.dialect) === familyOf(dialect) && product.matchesSearch(message),
  )?.id ?? null

/** The newest version with the same messages. */
const familyOf = (dialect: Dialect): Dialect => (dialect === '2.3.0' ? dialect : '2.0.3')

/** The version in which the lender answers; null for the product's own. */
function versionOf({ lenderVersions }: Context, { slug }: LenderPolicy, product: LoanProduct): LenderVersion | null {
  return lenderVersions.get(slug)?.find((version) => isFor(version, product)) ?? null
}

function isFor(version: LenderVersion, product: LoanProduct): boolean {
  const dialect = dialectOf(version)
  return dialect === '2.3.0'
    ? products[product].dialect === dialect
    : isOneOf(Object.keys(variants[dialect].categories), product)
}

/** Whether the lender answers a search: in its own domain and version, or in the usual version, which it reads. */
function answers(
  ctx: Context,
  policy: LenderPolicy,
  product: LoanProduct,
  { dialect, domain }: { dialect: Dialect; domain: NetworkDomain },
): boolean {
  const version = versionOf(ctx, policy, product)
  return domain === domainOf(version) && (dialect === products[product].dialect || dialect === version)
}

/** A search in 2.3.0 may also be directed at one lender, within a conversation. */
const isBroadcast = ({ action, bpp_id, version }: MessageContext): boolean =>
  action === 'search' && (version !== '2.3.0' || bpp_id === undefined)

const staleCode = nackCodes.BPP.stale

/** Verifies the buyer app's signature, and the gateway's on a broadcast (FIS12 §2, §5). */
async function verifiedSender(
  { db }: Context,
  { raw, headers, at }: { raw: Buffer; headers: Record<string, string | string[] | undefined>; at: Date },
  context: MessageContext,
): Promise<ParticipantRow> {
  const { bap_id: buyer, domain } = context
  const claim = { raw, header: headers.authorization, at, sender: buyer, role: 'BAP' as const, domain }
  const sender = await verifySender(db, claim)
  if ('fault' in sender) throw new Refusal('bad-credential', `the signature is not valid: ${sender.fault}`)
  if (context.bpp_id !== undefined) return sender.participant
  const gatewayClaim = { raw, header: headers['x-gateway-authorization'], at, sender: gatewayId, role: 'BG' as const }
  const gateway = await verifySender(db, gatewayClaim)
  if ('fault' in gateway) throw new Refusal('bad-credential', `the gateway's signature is not valid: ${gateway.fault}`)
  return sender.participant
}

function checkAddressee(policy: LenderPolicy, { bpp_id }: MessageContext): void {
  if (bpp_id !== undefined && bpp_id !== subscriberId(policy))
    throw invalid({ path: 'context.bpp_id', message: `must be ${subscriberId(policy)}` })
}

interface BuyerMessage {
  action: AnyRequest
  /** The product of a broadcast search; null for other messages. */
  product: LoanProduct | null
  dialect: Dialect
  context: MessageContext
  message: unknown
  sender: ParticipantRow
  raw: Buffer
  at: Date
}

/** Stores the request and enqueues its job in one transaction. A repeated request enqueues nothing. */
async function storeRequest(
  tx: Tx,
  ctx: Context,
  policy: LenderPolicy,
  { action, product, dialect, context, message, sender, raw, at }: BuyerMessage,
): Promise<void> {
  const parties = { lender: policy.slug, bapId: context.bap_id, transactionId: context.transaction_id }
  if (product !== null)
    await openConversation(
      tx,
      {
        ...parties,
        product,
        version: versionOf(ctx, policy, product),
        conversationId: uuidv7(at.getTime()),
        bapUri: context.bap_uri,
        bapAddress: dialect === '2.3.0' ? sender.subscriberUrl : null,
      },
      at,
    )
  const isOfDrawdown = dialect === '2.3.0' && (action === 'init' || action === 'confirm') && isDrawdownRequest(message)
  if (isOfDrawdown && action === 'init') {
    const { lineOrderId } = readDrawdownInit(message)
    const address = { bapUri: context.bap_uri, bapAddress: sender.subscriberUrl }
    const parts = { ...parties, ...address, lineOrderId, conversationId: uuidv7(at.getTime()) }
    if (!(await openDrawdown(tx, parts, at)))
      throw new Refusal('absent', 'there is no such credit line', { field: 'message.order.ref_order_ids.0' })
  }
  const conversation = await requestedConversation(tx, ctx, policy, { parties, action, message, at })
  if (product === null && conversation && policyFor(conversation).dialect !== dialect)
    throw invalid({ path: 'context.version', message: `must be ${policyFor(conversation).dialect}` })
  if (product === null && conversation && domainOf(conversation.version) !== context.domain)
    throw invalid({ path: 'context.domain', message: `must be ${domainOf(conversation.version)}` })
  if (!conversation || familyOf(policyFor(conversation).dialect) !== familyOf(dialect))
    throw new Refusal('absent', 'no search opened this transaction here')
  if ((action === 'init' || action === 'confirm') && isOfDrawdown !== (conversation.lineId !== null))
    throw invalid({
      path: 'message.order.ref_order_ids',
      message: isOfDrawdown ? 'is of a drawdown, which has a transaction of its own' : 'is required in a drawdown',
    })
  if (action === 'select' && conversation.scenario === 'nack-select')
    throw new Refusal('invalid', 'the sandbox rule of this PAN is a NACK', { code: nackCodes.BPP.invalid })
  const isRepeated = await hasReceived(tx, conversation.conversationId, action)
  // The buyer app may search in several versions; the lender answers one of them.
  if (product !== null && isOneOf(olderDialects, conversation.version) && isRepeated) return
  const number = await storeMessage(tx, ctx.seal, {
    conversationId: conversation.conversationId,
    direction: 'in',
    action,
    messageId: context.message_id,
    errorCode: null,
    body: raw,
    at,
  })
  if (number === null) return
  await enqueueFor(tx, ctx, {
    tenantId: conversation.conversationId,
    kind: answerKind,
    payload: { conversationId: conversation.conversationId, number: String(number) },
    dueAt: isDelayed(conversation, action, isRepeated)
      ? secondsAfter(expiresAt(context), 2)
      : new Date(at.getTime() + policy.answerDelayMs),
  })
}

const isDelayed = ({ scenario, status }: Conversation, action: AnyRequest, isRepeated: boolean): boolean =>
  scenario === 'late-offer' && status === 'PROFILED' && action === 'select' && !isRepeated
