// The page's shared state, set once at the start and read by all components.

import type { ComplaintCategory } from '@lendloom/wire/console/complaint-lists'
import type { EmbedBranch, EmbedPledge } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedPayment } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import type { Signal } from '@preact/signals'
import type { ComponentChildren, ComponentType, FunctionComponent } from 'preact'
import type { AmountFieldProps } from '../form/amount-field.tsx'
import type { FieldProps } from '../form/field.tsx'
import type { OfferPrice, RequestedTerms } from '../offers/compare-offers.ts'
import type { TextFile } from '../text.ts'
import type { FieldFault } from './api.ts'
import type { Boot } from './boot-config.ts'
import type { DeferredFiles } from './chunk-urls.ts'
import type { FieldErrors } from './field-errors.ts'
import type { Host } from './host-messages.ts'
import type { Memory } from './reload-memory.ts'
import type { PageSession } from './session.ts'

/** The units that the borrower entered for each fund. */
export interface PledgeEntries {
  texts: readonly string[]
  /** Errors of fields that are invalid, or exceed the units that the lender requires. */
  errors: FieldErrors
  pledges: { schemeCode: string; units: string }[]
  /** Loan value of the units in whole rupees; null if a field is invalid. */
  rupees: string | null
}

export interface UnitsNeededProps {
  offer: EmbedOffer
  /** In whole rupees; null for an amount outside this offer. */
  amount: number | null
  /** Null while the units follow the amount. */
  entries: PledgeEntries | null
  errors: FieldErrors
  onEnter(entries: PledgeEntries | null): void
}

/** Props of the panel with amount and term, for all offers or a single one. */
export interface RequestProps {
  offers: EmbedOffer[]
  requested: RequestedTerms
  /** The typed text, valid or not; null after the slider was moved. */
  typed: Signal<string | null>
  /** Error of the amount after a rejected submission. */
  error?: string | undefined
  /** Called on every change, such as while the slider moves: figures update, but offers keep their order. */
  onChange(requested: RequestedTerms): void
  /** Called when the value is final: offers are sorted again. */
  onDone(): void
}

export interface ChooseProps {
  offer: EmbedOffer
  /** The terms of the comparison, within this offer's limits. */
  requested: RequestedTerms
  /** The text for an amount outside this offer. */
  wrongAmount: string
  priceAt(terms: RequestedTerms): OfferPrice
  /** Chooses the offer, with the borrower's entries for it. Resolves to the faults of a refusal. */
  select(terms: RequestedTerms, entries: object): Promise<FieldFault[] | null>
  Panel: FunctionComponent<RequestProps>
  Figures: FunctionComponent<{ price: OfferPrice }>
  onBack(): void
}

export interface PledgedUnitsProps {
  pledges: EmbedPledge[]
  /** Whether the units are already pledged, which changes the text. */
  after?: boolean
  /** The lender that releases them after the end of the loan. */
  releasedBy?: string
}

/** Components that the funds chunk provides. */
export interface Funds {
  Secured: FunctionComponent<{ offer: EmbedOffer }>
  Needed: FunctionComponent<UnitsNeededProps>
  Pledged: FunctionComponent<PledgedUnitsProps>
  /** Before offers are requested: the holdings, and fetching a statement. */
  Statement: FunctionComponent
}

export type BranchesProps = Pick<FieldProps, 'value' | 'error' | 'onValue'> & { branches: EmbedBranch[] }

export interface BranchStep {
  selected: NonNullable<EmbedView['selected']>
}

/**
 * Components that the gold chunk provides: jewellery in the profile, value and branches of an offer, and the gold's
 * location.
 */
interface Gold {
  PieceByPiece: FunctionComponent
  Value: FunctionComponent<{ offer: EmbedOffer }>
  BranchField: FunctionComponent<BranchesProps>
  Location: FunctionComponent<BranchStep>
  Stored: FunctionComponent<BranchStep>
}

export interface EmbedPage {
  /** Set by the first chunk, for use in later ones. */
  files: DeferredFiles
  AmountField: FunctionComponent<AmountFieldProps>
  session: PageSession
  /** The session's view. Not null here, because later screens are rendered only once a view exists. */
  view: Signal<EmbedView>
  host: Host
  memory: Memory
  boot: Boot
  /** Opens a blank window during the tap, before its URL is known; null if the browser blocks it. */
  openWindow(): Window | null
  /** Open layer above a screen, such as a confirmation; empty without one. */
  inner: Signal<string>
  /** Returns a click handler that opens a layer, without the failure of the screen before. */
  opener(inner: string): () => void
  /** Screen of its own that hides the journey's: help with a new complaint's preselected category, or the consents. */
  aside: Signal<'' | 'given' | `help:${ComplaintCategory | ''}`>
  /**
   * The early payment whose card is open: the newest one while null, none if empty. Of two amounts that were asked for,
   * only one can be paid at a time.
   */
  openPayment: Signal<string | null>
  /** Number of headings so far. Keys what is below a screen, which is drawn with each screen instead of moving. */
  titles: Signal<number>
  /** Screens whose chunks are loaded. */
  screens?: Partial<Record<Screen, ComponentType>>
  /** Loaded text files in the page's language. */
  texts: Set<TextFile>
  /** The terms that the borrower chose before the lender refused. */
  earlier?: RequestedTerms | null
  /** The chosen offer's price if it was an estimate. */
  quoted?: OfferPrice | undefined
  /** The chosen offer's screen. Each of the following components is set once its chunk has run. */
  choose?: FunctionComponent<ChooseProps>
  funds?: Funds
  gold?: Gold
  complaints?: FunctionComponent<{ lender: string }>
  requests?: FunctionComponent
  loan?: FunctionComponent<LoanDetailsProps>
  line?: FunctionComponent
  payment?: FunctionComponent<PaymentProps>
  rating?: FunctionComponent<{ lender: string }>
  consents?: FunctionComponent<{ close(): void }>
  withdrawal?: FunctionComponent
  help?: FunctionComponent<{ close(): void }>
}

export interface LoanDetailsProps extends BranchStep {
  children: ComponentChildren
}

export interface PaymentProps {
  payment: EmbedPayment
  lender: string
}

export const page = {} as EmbedPage
