// Opens and ends conversations with the lenders that answered the search, and reopens a page (FIS12 §3.4).

import { next } from '@lendloom/foundation/machine'
import { ownValue } from '@lendloom/foundation/record'
import type { Lender } from '@lendloom/lending/lender'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { usualDomain } from '@lendloom/wire/network/context'
import type { ContractTerms } from '@lendloom/wire/network/contract-terms'
import type { CatalogItem } from '@lendloom/wire/network/v203/search'
import type { Stop } from '@lendloom/wire/network/v203/stops'
import type { OwnCategories } from '@lendloom/wire/network/v230/categories'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { storeLender } from '#platform/lending/lender/store.ts'
import { isSwitchedOff, lenderKeyText } from '#platform/lending/lender/switch/store.ts'
import {
  type Conversation,
  chooseItems,
  type Extras,
  findDedupeItem,
  findSecondItem,
  noAwaitedAnswer,
  sealFormUrl,
} from './conversation.ts'
import { dialectOf, dialectOfConversation, domainOfConversation, searchWays } from './dialect.ts'
import type { Sender } from './inbound/inbound-message.ts'
import type { NetworkConfig } from './own-identity.ts'
import { stageAfter } from './queue-request.ts'
import { conversationStages, type InboundMove } from './stage.ts'
import { changeConversation, insertConversation, readConversation, readConversations } from './store.ts'

/**
 * Opens a conversation about the best item of each provider in a catalogue. Returns only new conversations, so that a
 * lender that answers twice receives one application.
 */
export async function openConversations(
  ctx: TxContext,
  journey: Journey,
  sender: Sender,
  items: CatalogItem[],
): Promise<Conversation[]> {
  const opened: Conversation[] = []
  const heardElsewhere = await providersHeardElsewhere(ctx, journey, sender)
  for (const item of chooseItems(items).filter(({ providerId }) => !heardElsewhere.includes(providerId))) {
    if (item.warnings.length > 0)
      ctx.log.info({ bppId: sender.bppId, warnings: item.warnings }, 'faults of a catalogue were ignored')
    const conversation = await openConversation(ctx, journey, sender, {
      ...item,
      dedupe: checksBorrower(ctx.config, sender.bppId) ? findDedupeItem(items, item) : undefined,
      secondItemId: findSecondItem(items, item)?.itemId ?? null,
    })
    if (conversation) opened.push(conversation)
  }
  return opened
}

const checksBorrower = ({ NETWORK_DEDUPE_LENDERS }: NetworkConfig, bppId: string): boolean =>
  NETWORK_DEDUPE_LENDERS.split(',').includes(bppId.toLowerCase())

/** The providers that already answered the search in another of its versions or domains. */
export async function providersHeardElsewhere(
  { tx, config }: TxContext,
  journey: Journey,
  { bppId, version, domain }: Sender,
): Promise<string[]> {
  if (searchWays(journey, config).length === 1) return []
  const known = await readConversations(tx, journey.tenantId, journey.journeyId, bppId)
  return known
    .filter((each) => dialectOfConversation(each) !== version || domainOfConversation(each) !== domain)
    .map(({ providerId }) => providerId)
}

export interface ConversationSubject {
  lender: Lender
  providerId: string
  itemId: string
  form: { id: string; url: string | null; heading: string | null }
  fulfillmentId: string | null
  /** Only of a lender that reports progress by stops (FIS12 §26). */
  stops?: Stop[] | null
  /** The check of the borrower that comes before the application; absent if none is wanted. */
  dedupe?: Extras['dedupe']
  lenderTerms?: ContractTerms | null
  ownCategories?: OwnCategories
  /** Another item of this lender that may lead to a second offer. */
  secondItemId?: string | null
}

/** Stores the lender. Returns undefined when the conversation already exists, or the lender is switched off or has refused the borrower. */
export async function openConversation(
  { tx, at, seal }: Write & Pick<Context, 'seal'>,
  journey: Journey,
  { bppId, bppUri, sentAt, version, domain }: Sender,
  subject: ConversationSubject,
): Promise<Conversation | undefined> {
  const { lender, providerId, itemId, form, fulfillmentId, ownCategories = {}, secondItemId = null } = subject
  const { stops = null, lenderTerms = null, dedupe } = subject
  const { tenantId, journeyId, refusedLenders } = journey
  const newLender = { tenantId, lenderId: uuidv7(at.getTime()), bppId, providerId, identity: lender, at }
  const [isOff, lenderId] = await Promise.all([
    isSwitchedOff(tx, { tenantId, bppId, providerId }),
    storeLender(tx, newLender),
  ])
  if (refusedLenders.includes(lenderKeyText({ bppId, providerId })) || isOff) return undefined
  const conversationId = uuidv7(at.getTime(), bucketOf(journeyId))
  const isNew = await insertConversation(tx, {
    tenantId,
    journeyId,
    conversationId,
    lenderId,
    bppId,
    bppUri,
    providerId,
    itemId,
    version: version === dialectOf(journey) ? null : version,
    stage: 'DISCOVERED',
    formId: form.id,
    formUrlSealed: sealFormUrl(seal, journey, form.url),
    formHeading: form.heading,
    fulfillmentId,
    categories: Object.keys(ownCategories).length > 0 ? ownCategories : null,
    lenderTerms,
    extras: {
      ...(domain !== usualDomain && { domain }),
      ...(stops && { progress: { stops } }),
      ...(dedupe && { dedupe }),
    },
    secondItemId,
    profileFormId: form.id,
    profileFormUrlSealed: sealFormUrl(seal, journey, form.url),
    lastMessageAt: sentAt,
    createdAt: at,
    updatedAt: at,
  })
  return isNew ? readConversation(tx, tenantId, journeyId, conversationId) : undefined
}

/**
 * Ends a conversation, so that no more messages are sent or applied. The lender is not notified, because an unaccepted
 * offer lapses (FIS12 §11.3).
 */
export async function endConversation(
  tx: Tx,
  conversation: Conversation,
  reason: string,
  at: Date,
): Promise<Conversation> {
  if (conversation.stage === 'ENDED') return conversation
  const change = { ...noAwaitedAnswer, stage: stageAfter(conversation, 'end'), endedBecause: reason }
  return changeConversation(tx, conversation, change, at)
}

const reopeningMoves: Record<string, InboundMove> = {
  KYC: 'kycRequested',
  LIEN_MARKING: 'lienRequested',
  EMANDATE: 'mandateRequested',
  LOAN_AGREEMENT: 'agreementRequested',
}

/** Reopens the last completed page. Returns undefined if no page can be reopened at the current stage. */
export async function reopenPage(tx: Tx, conversation: Conversation, at: Date): Promise<Conversation | undefined> {
  const { formHeading } = conversation
  const move = conversation.stage === 'CONFIRM_SENT' ? 'unsigned' : ownValue(reopeningMoves, formHeading ?? '')
  const stage = move && next(conversationStages, conversation.stage, move)
  return stage && changeConversation(tx, conversation, { ...noAwaitedAnswer, stage, submissionId: null }, at)
}
