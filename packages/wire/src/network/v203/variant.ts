// What differs between the versions that share the messages of 2.0.3, as data (FIS12 §1, §24).
import type { Assessment } from '@lendloom/lending/terms'
import type { Dialect } from '#wire/network/context.ts'

/** Products of this dialect. A gold loan requires a visit to a branch. */
export const products = ['PERSONAL_LOAN', 'GOLD_LOAN'] as const
export type CatalogProduct = (typeof products)[number]

/** The steps that dialect 2.0.3 names in `headings`. */
export const headings = [
  'PERSONAL_INFORMATION',
  'SET_LOAN_AMOUNT',
  'KYC',
  'KYC_OFFLINE',
  'JOURNEY_OFFLINE',
  'SINGLE_REDIRECTION',
  'ACCOUNT_INFORMATION',
  'EMANDATE',
  'LOAN_AGREEMENT',
] as const
export type Heading = (typeof headings)[number]

interface Category {
  id: string
  parent_category_id?: string
  descriptor: { code: string; name: string }
}

interface CatalogueCategories {
  /** Parent categories, from the top. */
  ancestors: readonly Category[]
  own: Category
  byAssessment: Partial<Record<Assessment, Category>>
}

export interface Variant {
  version: Exclude<Dialect, '2.3.0'>
  categories: Partial<Record<CatalogProduct, CatalogueCategories>>
  /** Whether a search has our terms in its intent too, where lenders with stops read them (FIS12 §26.1). */
  hasTermsInIntent: boolean
  catalogueNamesOfficer: boolean
  /** The texts of the headings, if they are not their codes. */
  headingTexts: Partial<Record<Heading, string>>
  /** The title of all pages of a stage, by its first heading; null if each page has the title of its step. */
  stageTitles: Partial<Record<Heading, string>> | null
  /** How durations in days begin. */
  dayPrefix: 'P' | 'PT'
  /** The form status of a `select` after the borrower's consent. */
  consentAnswer: 'SUCCESS' | 'APPROVED'
  reportsFormId: boolean
  /** Whether its flows report the end of every page; otherwise they go on when the borrower is back (FIS12 §24). */
  reportsPages: boolean
  placedOrder: { isDated: boolean; hasBranch: boolean }
  sharesInstallmentId: boolean
  /** Whether a payment after disbursal has the id of the ON_ORDER payment. */
  sharesPaymentId: boolean
}

export const childCategory = (id: string, parent: string, code: string, name: string): Category => ({
  id,
  parent_category_id: parent,
  descriptor: { code, name },
})

export const variant203 = {
  version: '2.0.3',
  categories: {
    PERSONAL_LOAN: {
      ancestors: [{ id: 'C1', descriptor: { code: 'LOAN', name: 'Loan' } }],
      own: childCategory('C2', 'C1', 'PERSONAL_LOAN', 'Personal loan'),
      byAssessment: {
        bureau: childCategory('C3', 'C2', 'BUREAU_LOAN', 'Bureau based'),
        'account-aggregator': childCategory('C4', 'C2', 'AA_PERSONAL_LOAN', 'Account aggregator based'),
      },
    },
    GOLD_LOAN: {
      ancestors: [],
      own: { id: 'G1', descriptor: { code: 'GOLD_LOAN', name: 'Gold loan' } },
      byAssessment: {
        bureau: childCategory('G2', 'G1', 'BUREAU_LOAN', 'Bureau based'),
        'account-aggregator': childCategory('G3', 'G1', 'AA_LOAN', 'Account aggregator based'),
      },
    },
  },
  hasTermsInIntent: true,
  catalogueNamesOfficer: true,
  headingTexts: {},
  stageTitles: null,
  dayPrefix: 'P',
  consentAnswer: 'SUCCESS',
  reportsFormId: true,
  reportsPages: true,
  placedOrder: { isDated: true, hasBranch: true },
  sharesInstallmentId: false,
  sharesPaymentId: false,
} satisfies Variant
