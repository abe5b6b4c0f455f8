// A conversation with one lender about one item of the lender, and functions without side effects.

import { isOneOf } from '@lendloom/foundation/record'
import { businessDate } from '@lendloom/lending/calendar'
import { contractOf, type ProductId } from '@lendloom/lending/product/products'
import { plainOrSealed } from '@lendloom/postgres/seal-plain'
import type { Seal } from '@lendloom/seal/seal'
import type { Dialect, NetworkDomain } from '@lendloom/wire/network/context'
import type { ContractTerms } from '@lendloom/wire/network/contract-terms'
import type { SupportContact } from '@lendloom/wire/network/extra/extra-messages'
import type { FormStatus } from '@lendloom/wire/network/form-status'
import { type AwaitedRequest, type ExtraRequest, extraRequests } from '@lendloom/wire/network/sequence'
import type { NetworkOrder } from '@lendloom/wire/network/v203/read-order'
import type { CatalogItem } from '@lendloom/wire/network/v203/search'
import { isPageDone, type Stop } from '@lendloom/wire/network/v203/stops'
import { customerFormHeading, type FormPage } from '@lendloom/wire/network/v203/xinput'
import type { OwnCategories } from '@lendloom/wire/network/v230/categories'
import type { ConsentStop } from '@lendloom/wire/network/v230/drawdown'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import type { ConversationStage } from './stage.ts'

/** The price of leaving, in paise; interest and charges are null if the lender does not state them. */
export interface ExitPrice {
  amount: string
  interest: string | null
  charges: string | null
  account: string | null
}

/** REFUSED: the lender does not cancel this loan, so the borrower forecloses it instead. */
export interface Cancellation {
  status: 'ASKED' | 'QUOTED' | 'CONFIRMED' | 'REFUSED'
  at: string
  /** When the borrower decided to leave at the stated price. The lender may still cancel after a refusal. */
  confirmedAt?: string
  price?: ExitPrice
}

/** The drawdown that a conversation is about: the order of its credit line, and the borrower's stop in the lender's terms. */
export interface DrawdownDetails {
  lineOrderId: string
  consent?: ConsentStop
  /** How often the borrower's agreement was sent. */
  agreements?: number
  /** When the lender reported that the payout came back, an instant of the lender's. */
  returnedAt?: string
}

/** What a lender with one page for all steps after its offer has told about that page (FIS12 §26). */
export interface PageProgress {
  stops: Stop[]
  /** The newest report about the page, which `confirm` repeats. */
  answer?: { formId: string; submissionId: string; status: FormStatus }
  /** Whether the lender has answered our request for the status: no loan is confirmed before. */
  isStatusAnswered?: boolean
  /** Whether the borrower's browser told that the page is done. */
  isLeft?: boolean
  /** Whether the lender has reported the payout, asked or not: nothing ends the loan from then on. */
  isPaidOut?: boolean
}

/** The pages of a lender whose version need not report their end (FIS12 §24). */
export interface UnreportedPages {
  /** The form id of the page from which the borrower is back. */
  left?: string
  /** The form id of the newest page after which we went on without a report. */
  passed?: string
  /** Whether the lender has reported the end of a page: from then on we wait for its reports. */
  isReporting?: boolean
}

export interface Extras {
  /** Only with a lender whose catalogue came in another domain than the usual one (FIS12 §27). */
  domain?: NetworkDomain
  /** Only with a lender that reports progress by stops. */
  progress?: PageProgress
  pages?: UnreportedPages
  /** Only in a conversation about a drawdown. */
  drawdown?: DrawdownDetails
  /** The item with which the lender checks a borrower before the application (FIS12 §26.3). */
  dedupe?: { itemId: string; fulfillmentId: string }
  cancellation?: Cancellation
  requested?: ('support' | 'track')[]
  support?: SupportContact
  trackingUrl?: string | null
  rating?: number
}

/** Whether the lender has one page for all steps after its offer, and reports progress by stops (FIS12 §26). */
export const hasStops = ({ extras }: Pick<Conversation, 'extras'>): boolean => extras.progress !== undefined

/**
 * Whether the lender takes payments outside the schedule over the network: a lender against funds, only if it has one
 * page (FIS12 §10.3, §27.4).
 */
export const takesPayments = (conversation: Pick<Conversation, 'extras' | 'journeyType'>): boolean =>
  !contractOf(conversation.journeyType).isRepaidAtLender || hasStops(conversation)

/** Whether the lender may owe the answer to a request for a payment: the loan is disbursed, or a credit line is open. */
export const isServiced = ({ stage, journeyType }: Pick<Conversation, 'stage' | 'journeyType'>): boolean =>
  stage === 'DISBURSED' || (stage === 'CONFIRMED' && contractOf(journeyType).pledgesFunds)

/**
 * Whether the borrower has done all on the one page of a lender that places the order unasked, and the lender's newest report
 * can be repeated to it (FIS12 §27.2).
 */
export const isPageFinished = ({ extras: { progress } }: Pick<Conversation, 'extras'>): boolean =>
  progress?.answer !== undefined && isPageDone(progress.stops)

export interface Conversation {
  tenantId: string
  journeyId: string
  conversationId: string
  lenderId: string
  journeyType: ProductId
  /** The version that the lender chose with its catalogue; null for the version of the search. */
  version: Dialect | null
  /** The `context.transaction_id` of every message: the journey's, or that of a drawdown (FIS12 §27.5). */
  transactionId: string
  /** Whether the conversation is about a drawdown, and has its id. */
  isDrawdown: boolean
  bppId: string
  bppUri: string
  providerId: string
  itemId: string
  stage: ConversationStage
  formId: string | null
  /**
   * The address of the form or page. It opens the page without sign-in, so only rows of earlier versions have it in clear.
   */
  formUrl: string | null
  formUrlSealed: Buffer | null
  formHeading: string | null
  submissionId: string | null
  /** The submissions of earlier forms, for reports that name no form (FIS12 §24). */
  answeredSubmissions: string[]
  branchId: string | null
  offeredItemId: string | null
  /** The parent item in the lender's answers, if it differs from `itemId`. */
  parentItemId: string | null
  fulfillmentId: string | null
  lenderTerms: ContractTerms | null
  /** The lender's own categories, from its catalogue; null if it has none. */
  categories: OwnCategories | null
  formReceived: boolean
  /** Another item of the same lender, assessed by bank data, that may lead to a second offer (FIS12 §19.1). */
  secondItemId: string | null
  /** The first form, and our submission of that form, which also requests the second offer. */
  profileFormId: string | null
  profileFormUrl: string | null
  profileFormUrlSealed: Buffer | null
  profileSubmissionId: string | null
  paymentId: string | null
  orderId: string | null
  extras: Extras
  awaitedAction: AwaitedRequest | null
  awaitedMessageId: string | null
  awaitedUntil: Date | null
  awaitedTry: number
  /** The newest `context.timestamp` of both parties. */
  lastMessageAt: Date | null
  endedBecause: string | null
  createdAt: Date
  updatedAt: Date
}

export type ConversationChange = Partial<
  Pick<
    Conversation,
    | 'stage'
    | 'formId'
    | 'formUrlSealed'
    | 'formHeading'
    | 'submissionId'
    | 'answeredSubmissions'
    | 'branchId'
    | 'offeredItemId'
    | 'parentItemId'
    | 'fulfillmentId'
    | 'lenderTerms'
    | 'formReceived'
    | 'profileSubmissionId'
    | 'paymentId'
    | 'orderId'
    | 'extras'
    | 'awaitedAction'
    | 'awaitedMessageId'
    | 'awaitedUntil'
    | 'awaitedTry'
    | 'lastMessageAt'
    | 'endedBecause'
  >
> & { formUrl?: null }

/** A change from a message, whose address of a form is not sealed yet. */
export type UnsealedChange = Omit<ConversationChange, 'formUrl'> & { formUrl?: string | null }

export type FormPurpose = 'PROFILE' | 'AMOUNT' | 'BANK'

export const formHeadings: Record<FormPurpose, readonly string[]> = {
  PROFILE: ['PERSONAL_INFORMATION', customerFormHeading],
  AMOUNT: ['SET_LOAN_AMOUNT', customerFormHeading],
  BANK: ['ACCOUNT_INFORMATION'],
}

/** Returns the change for a new form or page, which has no submission yet. `sealForm` seals its address. */
export const formChange = ({ id, url, heading }: FormPage): UnsealedChange => ({
  formId: id,
  formUrl: url,
  formHeading: heading,
  submissionId: null,
})

const formContext = ({ tenantId, journeyId }: JourneyKey): string => `conversation.form_url:${tenantId}:${journeyId}`

/** Seals the address in a change. */
export const sealForm = (
  seal: Seal,
  journey: JourneyKey,
  { formUrl, ...change }: UnsealedChange,
): ConversationChange =>
  formUrl === undefined ? change : { ...change, formUrl: null, formUrlSealed: sealFormUrl(seal, journey, formUrl) }

export const sealFormUrl = (seal: Seal, journey: JourneyKey, url: string | null): Buffer | null =>
  url === null ? null : seal.json(url, formContext(journey))

/** The address of the form or page that is due or was answered last. */
export const formUrlOf = (seal: Seal, conversation: Conversation): string | null =>
  plainOrSealed(seal, conversation.formUrl, conversation.formUrlSealed, formContext(conversation))

/** The address of the first form, about the borrower. */
export const profileFormUrlOf = (seal: Seal, conversation: Conversation): string | null =>
  plainOrSealed(seal, conversation.profileFormUrl, conversation.profileFormUrlSealed, formContext(conversation))

/** Whether the heading or a repeated form id shows a second form about the borrower (FIS12 §19.1, §19.2). */
export const isSecondForm = (
  { profileFormId }: Pick<Conversation, 'profileFormId'>,
  { id, heading }: FormPage,
): boolean => heading === customerFormHeading || id === profileFormId

export const noAwaitedAnswer: ConversationChange = {
  awaitedAction: null,
  awaitedMessageId: null,
  awaitedUntil: null,
  awaitedTry: 0,
}

const itemRanks: Record<NonNullable<CatalogItem['assessment']> | 'unsaid', number> = {
  bureau: 2,
  unsaid: 1,
  'account-aggregator': 0,
}

/** The page of the item, if all steps are there, is one that the borrower completes alone. */
const isOnline = ({ stops }: CatalogItem): boolean => stops?.some(({ type }) => type === 'SINGLE_REDIRECTION') ?? false

/**
 * Chooses the items to apply for: one item per provider, with a form that we can fill. Prefers bureau items, which need
 * no bank data from the borrower (FIS12 §8.1), and of those one that the borrower completes online (FIS12 §26).
 */
export function chooseItems(items: CatalogItem[]): UsableItem[] {
  const byProvider = new Map<string, UsableItem>()
  const rankOf = (item: UsableItem): number => itemRanks[item.assessment ?? 'unsaid'] + (isOnline(item) ? 0.5 : 0)
  for (const item of items.filter(isUsable)) {
    const best = byProvider.get(item.providerId)
    if (!best || rankOf(item) > rankOf(best)) byProvider.set(item.providerId, item)
  }
  return [...byProvider.values()]
}

type UsableItem = CatalogItem & { form: NonNullable<CatalogItem['form']> }

const isUsable = (item: CatalogItem): item is UsableItem => item.form !== null && item.matched && !item.isDedupe

/** Finds the item with which the lender checks a borrower before the application (FIS12 §26.3). */
export function findDedupeItem(items: CatalogItem[], { providerId, itemId }: CatalogItem): Extras['dedupe'] {
  const check = items.find((each) => each.isDedupe && each.providerId === providerId && each.itemId !== itemId)
  return check?.fulfillmentId ? { itemId: check.itemId, fulfillmentId: check.fulfillmentId } : undefined
}

/** Finds the lender's account-aggregator item, which may lead to a second offer with bank data. */
export const findSecondItem = (items: CatalogItem[], chosen: CatalogItem): CatalogItem | undefined =>
  items.find(
    ({ providerId, product, assessment, itemId, form, matched }) =>
      chosen.assessment === 'bureau' &&
      assessment === 'account-aggregator' &&
      providerId === chosen.providerId &&
      product === chosen.product &&
      itemId !== chosen.itemId &&
      form &&
      matched,
  )

/** The fields of an order that identify its conversation. The order id exists from `on_confirm` on. */
export interface OrderReference extends Pick<NetworkOrder, 'orderId' | 'providerId' | 'itemId'> {
  isDrawdown?: boolean
}

/**
 * Finds the conversation of an unsolicited message. An equal order id decides, because a lender may change the provider
 * id (FIS12 §18.1). A new order of an unknown provider belongs to the loan whose confirmation is not applied yet.
 * Otherwise provider and item decide, or the only open conversation with the provider, or the only one if all have ended.
 */
export function conversationOf(conversations: Conversation[], order: OrderReference | null): Conversation | undefined {
  const orderId = order?.orderId ?? null
  const withSameOrder = conversations.find((each) => orderId !== null && each.orderId === orderId)
  if (withSameOrder) return withSameOrder
  if (orderId !== null && conversations.every(({ providerId }) => providerId !== order?.providerId))
    return conversations.find(({ stage, orderId: placed }) => stage === 'CONFIRM_SENT' && placed === null)
  const candidates = conversations.filter((each) => orderId === null || each.orderId === null)
  const exact = candidates.find(
    ({ providerId, itemId, offeredItemId }) =>
      providerId === order?.providerId && (offeredItemId ?? itemId) === order.itemId,
  )
  const ofProvider = candidates.filter((each) => order === null || each.providerId === order.providerId)
  const open = ofProvider.filter(({ stage }) => stage !== 'ENDED')
  const [only, ...others] = open.length > 0 ? open : ofProvider
  return exact ?? (others.length === 0 ? only : undefined)
}

/**
 * Finds the conversation about a drawdown for an unsolicited message: by its transaction, or in the line's transaction by its
 * order id. An order of the line is about the line, in whichever transaction it comes (FIS12 §27.5).
 */
export function drawdownOf(
  conversations: Conversation[],
  order: Pick<OrderReference, 'orderId' | 'isDrawdown'> | null,
  transactionId: string,
): Conversation | undefined {
  if (order && !order.isDrawdown) return undefined
  const drawdowns = conversations.filter(({ isDrawdown }) => isDrawdown)
  const ofTransaction = drawdowns.find((each) => each.transactionId === transactionId)
  const orderId = order?.orderId ?? null
  return ofTransaction ?? drawdowns.find((each) => orderId !== null && each.orderId === orderId)
}

/** Reads a setting such as `a.example:cancel+support,b.example:rating`; null if it is malformed. */
export function lendersByExtra(setting: string): Map<string, ExtraRequest[]> | null {
  const lenders = new Map<string, ExtraRequest[]>()
  for (const entry of setting === '' ? [] : setting.toLowerCase().split(',')) {
    const [lender = '', text = '', ...rest] = entry.split(':')
    const actions = text.split('+').filter((action) => isOneOf(extraRequests, action))
    if (rest.length > 0 || actions.length !== text.split('+').length || lenders.has(lender)) return null
    if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(lender)) return null
    lenders.set(lender, actions)
  }
  return lenders
}

/** Whether this lender agreed to the action. No other lender receives it. */
export const hasAgreedTo = (config: { NETWORK_EXTRA_ACTIONS: string }, bppId: string, action: ExtraRequest): boolean =>
  lendersByExtra(config.NETWORK_EXTRA_ACTIONS)?.get(bppId.toLowerCase())?.includes(action) ?? false

/** Whether the lender stated a price today, because its interest grows by the day. */
export const isExitPriced = ({ cancellation }: Extras, at: Date): boolean =>
  cancellation?.status === 'QUOTED' && businessDate(new Date(cancellation.at)) === businessDate(at)

/** Whether the borrower leaves by `cancel`: the decision followed a stated price, and the lender did not refuse. */
export const isExitConfirmed = ({ cancellation }: Extras): boolean =>
  cancellation?.confirmedAt !== undefined && cancellation.status !== 'REFUSED'
