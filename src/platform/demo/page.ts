// The demo app's page: an app that offers credit, with the journey in a phone and every update as it arrives.

import { goldLoan } from '#contract/product/gold-loan.ts'
import { mutualFundLoan } from '#contract/product/mutual-fund-loan.ts'
import type { ProductId } from '#contract/product/product.ts'
import { defaultProduct } from '#contract/product/products.ts'
import { faultRules } from '#contract/sandbox/fault-rules.ts'
import { Closed, OneOf, type Static, Type } from '#kit/http/schema.ts'
import { required } from '#kit/runtime/required.ts'
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

/** Which loan is played, and in which words; the default product, and those of the fault scenario, unless told. */
interface PlayedLoan {
  journeyType?: ProductId
  described?: Pick<Scenario, 'title' | 'about'>
}

/** Played with these digits as the sandbox's fault scenarios have it; an ordinary borrower is described here. */
const scenario = (
  id: string,
  digits: string,
  panName: string,
  { journeyType = defaultProduct, described = describedBy(digits) }: PlayedLoan = {},
): Scenario => ({
  id,
  journeyType,
  ...described,
  panName,
  pan: `ABCP${panName.charAt(panName.lastIndexOf(' ') + 1)}${digits}F`,
})

/** Throws for digits that no fault scenario has, or whose scenario has no words for the demo. */
function describedBy(digits: string): Pick<Scenario, 'title' | 'about'> {
  const rule = faultRules.find((each) => each.digits === digits)
  if (rule?.brief === undefined) throw new Error(`no fault scenario of the demo has the digits ${digits}`)
  return { title: rule.title, about: rule.brief }
}

const ordinary = (about: string) => ({ title: 'Ordinary', about })

/** The borrowers that the demo can play. */
export const demoScenarios = [
  scenario('ordinary', '1234', 'Asha Rao', {
    described: ordinary('Several lenders make honest offers, and all goes well.'),
  }),
  scenario('some-offers', '9001', 'Vikram Singh'),
  scenario('no-offer', '9002', 'Nitin Shah'),
  scenario('late', '9003', 'Leela Menon'),
  scenario('error', '9005', 'Omar Khan'),
  scenario('kyc-rejected', '9006', 'Kiran Patil'),
  scenario('kyc-retry', '9007', 'Tara Bose'),
  scenario('account-retry', '9008', 'Arjun Nair'),
  scenario('mandate-rejected', '9009', 'Meera Das'),
  scenario('mandate-retry', '9015', 'Ravi Iyer'),
  scenario('esign-retry', '9010', 'Sana Ali'),
  scenario('short-offer', '9011', 'Dev Gupta'),
  scenario('refused', '9012', 'Pooja Jain'),
  scenario('slow', '9013', 'Imran Sheikh'),
  scenario('gold', '1234', 'Asha Rao', {
    journeyType: goldLoan.id,
    described: ordinary('Lenders offer on 40 g of 22K gold; one takes it in at a branch.'),
  }),
  scenario('gold-refused', '9041', 'Vikram Singh', { journeyType: goldLoan.id }),
  scenario('gold-silent', '9042', 'Leela Menon', { journeyType: goldLoan.id }),
  scenario('funds', '1234', 'Asha Rao', {
    journeyType: mutualFundLoan.id,
    described: ordinary('Lenders offer on two funds; a third wants to see the folios first.'),
  }),
  scenario('lien-retry', '9051', 'Vikram Singh', { journeyType: mutualFundLoan.id }),
  scenario('lien-rejected', '9052', 'Leela Menon', { journeyType: mutualFundLoan.id }),
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
  /** The headers of the delivery: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  headers: Record<string, string>
  /** Whether the signature was checked and is right. */
  verified: boolean
  payload: unknown
}

/** The borrower that a request is about. `random` is eight random digits; the same borrower keeps the same mobile number (D1 §2.3). */
export function demoBorrower(request: DemoSessionRequest, random: string) {
  const { id, journeyType, pan, panName } = required(
    demoScenarios.find((each) => each.id === request.scenario),
    'a scenario of the demo',
  )
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
