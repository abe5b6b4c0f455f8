// The sandbox journeys by ending, as listed on the demo page and the sandbox's front page.
import { contractOf, type ProductContract, type ProductId } from '@lendloom/lending/product/products'
import { isPossibleFor } from './fault-products.ts'
import { faultRules } from './fault-rules.ts'

export interface SandboxJourney {
  /** Characters 6 to 9 of the borrower's PAN, which select the lenders' behaviour. */
  digits: string
  title: string
  what: string
  /** The further result, for integrators. */
  outcome?: string
}

export interface JourneyEnding {
  id: 'money' | 'offers' | 'none' | 'retry' | 'declined' | 'silent' | 'late' | 'complaint'
  title: string
  about: string
  /** What the borrower must do after the application to reach this ending. */
  todo: string
  digits: string[]
}

/** Digits without a fault scenario. */
export const ordinaryDigits = '1234'

/** Digits without a fault scenario for which the demo app sends no fund data. */
export const digitsWithoutStatement = '5678'

/** In the order in which they are shown. */
export const endings: JourneyEnding[] = [
  {
    id: 'money',
    title: 'Money arrives',
    about: 'The loan is paid out, at once or after more steps.',
    todo: 'Choose an offer, accept its final terms, and approve each step on the lender’s page.',
    digits: [ordinaryDigits, digitsWithoutStatement, '9013', '9025', '9055', '9072', '9073'],
  },
  {
    id: 'offers',
    title: 'Unusual offers',
    about: 'One lender offers twice, late, only briefly or not at all. The others make offers as usual.',
    todo: 'Wait for the offers and compare them.',
    digits: ['9001', '9003', '9004', '9005', '9011', '9021', '9022', '9023', '9024', '9026', '9071'],
  },
  {
    id: 'none',
    title: 'No offer',
    about: 'No lender makes an offer, and the page says why.',
    todo: 'Agree to the consents, and wait until every lender has answered.',
    digits: ['9002', '9054'],
  },
  {
    id: 'retry',
    title: 'A step fails once',
    about: 'A step fails the first time and works the second time.',
    todo: 'Go through the steps, and try again where one fails.',
    digits: ['9007', '9008', '9010', '9015', '9051', '9053'],
  },
  {
    id: 'declined',
    title: 'The lender declines',
    about: 'The lender, the bank or the branch declines for good.',
    todo: 'Choose an offer, and continue until the lender declines.',
    digits: ['9006', '9009', '9012', '9041', '9052'],
  },
  {
    id: 'silent',
    title: 'The lender is silent',
    about: 'The lender does not say what it has done. The platform asks.',
    todo: 'Go through the steps, and wait until the platform has asked.',
    digits: ['9014', '9042'],
  },
  {
    id: 'late',
    title: 'Late and failed payments',
    about: 'After the payout, an instalment is missed or a payment fails. An open credit line refuses what is drawn.',
    todo: 'Continue to the payout or the open line, then open the loan’s payments.',
    digits: ['9031', '9032', '9033', '9034', '9035', '9056'],
  },
  {
    id: 'complaint',
    title: 'Complaints',
    about: 'A complaint is answered late, with a question, with a refund or not at all.',
    todo: 'Choose a lender, open Help and complaints below the page, and complain.',
    digits: ['9061', '9062', '9063', '9064', '9065'],
  },
]

const securities = (product: ProductContract): string =>
  product.pledgesGold ? ' on 40 g of gold' : product.pledgesFunds ? ' on two funds' : ''

const ordinary = (product: ProductContract): SandboxJourney => ({
  digits: ordinaryDigits,
  title: 'All goes well',
  what: `Several lenders make offers${securities(product)}, and the chosen one pays out.`,
})

const withoutStatement: SandboxJourney = {
  digits: digitsWithoutStatement,
  title: 'Without a statement',
  what: 'The app has no fund data: the borrower gets a statement from MF Central before lenders are asked.',
}

/** The scenarios of a product for one ending; empty when there are none. */
export function journeysOf(id: ProductId, { digits }: JourneyEnding): SandboxJourney[] {
  const product = contractOf(id)
  const honest = product.pledgesFunds ? [ordinary(product), withoutStatement] : [ordinary(product)]
  return [...honest, ...faultRules].filter(
    (each) => digits.includes(each.digits) && isPossibleFor(each.digits, product),
  )
}

/** The journey of these digits and its ending; undefined if the product has none. */
export function findJourney(
  id: ProductId,
  digits: string,
): { journey: SandboxJourney; ending: JourneyEnding } | undefined {
  for (const ending of endings)
    for (const journey of journeysOf(id, ending)) if (journey.digits === digits) return { journey, ending }
  return undefined
}

/** The product's name in addresses of the demo and of the sandbox's front page: that of the hybrid API. */
export const productSlug = (id: ProductId): string => contractOf(id).hybridName
