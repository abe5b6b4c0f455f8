// The demo app's page: an app that offers credit, with the journey in a phone and every update as it arrives.
import { goldLoan } from '#contract/product/gold-loan.ts'
import { mutualFundLoan } from '#contract/product/mutual-fund-loan.ts'
import type { ProductId } from '#contract/product/product.ts'
import { defaultProduct } from '#contract/product/products.ts'
import { Closed, OneOf, type Static, Type } from '#kit/http/schema.ts'
import type { Served, WebBuild } from '#platform/web-build.ts'

interface Scenario {
  id: string
  journeyType: ProductId
  title: string
  about: string
  panName: string
  /** Its four digits decide what the sandbox's lenders do. */
  pan: string
}

const scenario = (
  id: string,
  digits: string,
  panName: string,
  title: string,
  about: string,
  journeyType: ProductId = defaultProduct,
): Scenario => ({
  id,
  journeyType,
  title,
  about,
  panName,
  pan: `ABCP${panName.split(' ').at(-1)![0]}${digits}F`,
})

const gold = (...[id, digits, panName, title, about]: [string, string, string, string, string]): Scenario =>
  scenario(id, digits, panName, title, about, goldLoan.id)

const funds = (...[id, digits, panName, title, about]: [string, string, string, string, string]): Scenario =>
  scenario(id, digits, panName, title, about, mutualFundLoan.id)

/** The borrowers that the demo can play. */
export const demoScenarios = [
  scenario('ordinary', '1234', 'Asha Rao', 'Ordinary', 'Several lenders make honest offers, and all goes well.'),
  scenario('some-offers', '9001', 'Vikram Singh', 'Some lenders say no', 'Two lenders make no offer, the others do.'),
  scenario('no-offer', '9002', 'Nitin Shah', 'No offer at all', 'No lender makes an offer: NOT_OFFERED.'),
  scenario('late', '9003', 'Leela Menon', 'A late lender', 'Meridian Finance answers after its time limit.'),
  scenario('error', '9005', 'Omar Khan', 'A lender with an error', 'Meridian Finance answers with an error.'),
  scenario('kyc-rejected', '9006', 'Kiran Patil', 'KYC rejected', 'Whatever happens on the KYC page: REJECTED.'),
  scenario('kyc-retry', '9007', 'Tara Bose', 'KYC on the second try', 'KYC fails once, then works.'),
  scenario(
    'account-retry',
    '9008',
    'Arjun Nair',
    'Bank account on the second try',
    'The account is not verified at first.',
  ),
  scenario('mandate-rejected', '9009', 'Meera Das', 'Mandate rejected', 'The bank rejects the mandate: REJECTED.'),
  scenario('mandate-retry', '9015', 'Ravi Iyer', 'Mandate on the second try', 'The mandate fails once, then works.'),
  scenario('esign-retry', '9010', 'Sana Ali', 'Signature on the second try', 'Signing fails once, then works.'),
  scenario('short-offer', '9011', 'Dev Gupta', 'Offers that expire', 'Offers lapse after twenty seconds.'),
  scenario(
    'refused',
    '9012',
    'Pooja Jain',
    'Refused after choosing',
    'The lender refuses once amount and term are chosen.',
  ),
  scenario('slow', '9013', 'Imran Sheikh', 'Slow money', 'The money takes ten times as long to arrive.'),
  gold('gold', '1234', 'Asha Rao', 'Ordinary', 'Lenders offer on 40 g of 22K gold; one takes it in at a branch.'),
  gold('gold-refused', '9041', 'Vikram Singh', 'The branch says no', 'The branch turns the gold down: REJECTED.'),
  gold('gold-silent', '9042', 'Leela Menon', 'A silent branch', 'Nobody tells how the visit ended; it is asked after.'),
  funds('funds', '1234', 'Asha Rao', 'Ordinary', 'Lenders offer on two funds; a third wants to see the folios first.'),
  funds('lien-retry', '9051', 'Vikram Singh', 'Lien on the second try', 'The registrar cannot mark the lien at first.'),
  funds('lien-rejected', '9052', 'Leela Menon', 'Lien rejected', 'The registrar refuses the lien: REJECTED.'),
] satisfies [Scenario, ...Scenario[]]

/** `POST /demo/session`: a new borrower of that kind, or the one of `borrowerProviderID` once more. */
export const DemoSessionRequest = Closed({
  scenario: OneOf(demoScenarios.map(({ id }) => id)),
  borrowerProviderID: Type.Optional(Type.String({ pattern: '^demo-[a-z-]+-\\d{8}$' })),
})
export type DemoSessionRequest = Static<typeof DemoSessionRequest>
export const DemoSessionReply = Closed({ embedUrl: Type.String() })

/** An entry of `GET /demo/events` (SSE, `event: update`): what reached the demo's own server. */
export interface DemoEvent {
  channel: 'webhook' | 'callback'
  receivedAt: string
  /** Of the delivery: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  headers: Record<string, string>
  /** Whether the signature was checked and is right. */
  verified: boolean
  payload: unknown
}

/** Whom a request is about. `chance` is eight random digits; the same borrower keeps the same mobile number (D1 §2.3). */
export function demoBorrower(request: DemoSessionRequest, random: string) {
  const { id, journeyType, pan, panName } = demoScenarios.find((each) => each.id === request.scenario)!
  const borrowerProviderID = request.borrowerProviderID ?? `demo-${id}-${random}`
  return { journeyType, borrowerProviderID, mobile: `98${borrowerProviderID.slice(-8)}`, pan, panName }
}

/** The document of `/demo`. */
export function demoPage(build: WebBuild): Served {
  const { script, style } = build.demo
  const boot = JSON.stringify(demoScenarios.map(({ panName, ...shown }) => shown))
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Lendloom demo</title>',
    `<link rel="icon" href="data:,"><link rel="stylesheet" href="${style}"></head><body><div id="demo"></div>`,
    `<script type="application/json" id="scenarios">${boot.replaceAll('<', '\\u003c')}</script>`,
    `<script src="/sdk/lendloom.js"></script><script src="${script}"></script></body></html>`,
  ].join('\n')
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        `default-src 'none'`,
        `script-src 'self'`,
        `style-src 'self'`,
        `img-src 'self' data:`,
        `connect-src 'self'`,
        `frame-src 'self'`,
        `base-uri 'none'`,
        `form-action 'none'`,
        `frame-ancestors 'none'`,
      ].join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    body: Buffer.from(html),
  }
}
