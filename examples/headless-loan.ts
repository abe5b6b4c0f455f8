// Takes a loan as a borrower in a terminal, from the session to the disbursal, through the headless API.
//
//   npm start                      in one terminal
//   npm run example:headless       in another; --pan ABCPE9007F selects another outcome (docs/reference/sandbox.md)
//                                  --self-employed --lender Celestium borrows from the lending partner
//                                  --gold borrows against 40 g of gold, pledged at the nearest branch
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Borrower, LendloomError, lendloom, type Steps } from '../packages/server-node/src/index.ts'
import { answerLenderPage } from './lender-page.ts'
import { Progress } from './progress.ts'

const { values } = parseArgs({
  options: {
    pan: { type: 'string', default: 'ABCPE1234F' },
    amount: { type: 'string' },
    lender: { type: 'string' },
    'self-employed': { type: 'boolean', default: false },
    gold: { type: 'boolean', default: false },
    'data-dir': { type: 'string', default: process.env.LENDLOOM_DATA_DIR ?? '.lendloom' },
  },
})

/** The account that receives the loan. */
const account = {
  accountHolderName: 'Asha Kulkarni',
  accountNumber: '50100123456789',
  ifsc: 'HDFC0000001',
  accountType: 'savings',
}

async function main(): Promise<void> {
  const file = join(values['data-dir'], 'sandbox.json')
  if (!existsSync(file)) throw new Error(`there is no ${file}: is Lendloom running? Start it with npm start`)
  const sandbox = JSON.parse(readFileSync(file, 'utf8')) as { platform: { url: string }; tenant: { apiKey: string } }
  const progress = new Progress()
  const client = lendloom({
    baseUrl: sandbox.platform.url,
    apiKey: sandbox.tenant.apiKey,
    onRetry: (reason, ms) => progress.note(`retrying in ${ms.toFixed(0)} ms: ${reason}`),
  })

  // Your server opens the session with its API key and gives the tokens to the borrower's app.
  const digits = Math.floor(Math.random() * 1e8)
    .toString()
    .padStart(8, '0')
  const session = await client.createHeadlessSession({
    body: {
      borrowerExternalID: `terminal-${digits}`,
      profile: {
        contactNumber: `98${digits}`,
        pan: values.pan,
        panName: 'Asha Kulkarni',
        personalemail: 'asha@mail.example',
      },
    },
  })
  progress.done(`Session for borrower ${session.borrowerID}`)

  const borrower = client.borrower({ tokens: session, onTokens: () => progress.note('session renewed') })
  const { journeyID } = await borrower.createJourney({ body: { type: values.gold ? 'GOLD_LOAN' : 'PERSONAL_LOAN' } })
  progress.done(`Journey ${journeyID}`)

  await fillProfile(borrower, journeyID)
  progress.done('Profile filled in and sent to the lenders')

  const offerID = await chooseOffer(borrower, journeyID, progress)
  await walkSteps(borrower, journeyID, offerID, progress)
  await printSummary(borrower, journeyID, offerID, progress)
}

async function fillProfile(borrower: Borrower, journeyID: string): Promise<void> {
  const { missingFields } = await borrower.updateProfile({
    params: { journeyID },
    body: {
      profile: { dob: '1992-02-29', gender: 'female' },
      workProfile: {
        employmentType: values['self-employed'] ? 'selfEmployed' : 'salaried',
        income: 85000,
        companyName: 'Example Industries',
      },
      address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
      bankingInformation: account,
      ...(values.gold && { goldLoan: { jewelleryWeightGrams: 40, purity: '22K' } }),
    },
  })
  if (missingFields.length > 0) throw new Error(`the profile still lacks ${missingFields.join(', ')}`)
  await borrower.submitProfile({ params: { journeyID }, body: { bureauConsent: true } })
}

/** Waits until every lender has answered, prints the answers, and proceeds with the cheapest offer. */
async function chooseOffer(borrower: Borrower, journeyID: string, progress: Progress): Promise<string> {
  const params = { journeyID }
  for (;;) {
    const [{ status }, { items }] = await Promise.all([
      borrower.getJourneyState({ params }),
      borrower.listOffers({ params }),
    ])
    const answeredCount = items.filter((card) => card.status !== 'OFFER_AWAITED').length
    progress.running(`Lenders: ${answeredCount} of ${items.length} have answered`)
    if (['REJECTED', 'EXPIRED'].includes(status)) throw new Error(`the journey ended: ${status}`)
    if (status === 'AA_REQUIRED') await giveConsent(borrower, journeyID, progress)
    const offers = items.filter((card) => card.status === 'OFFER_RECEIVED')
    const awaited = items.filter((card) => card.status === 'OFFER_AWAITED' && !card.aa.required)
    if (offers.length > 0 && awaited.length === 0) {
      progress.done(`${offers.length} offers`)
      for (const card of items) {
        const text =
          card.status === 'OFFER_RECEIVED'
            ? `₹${card.amountPrincipal} for ${card.offerTerm} at ${card.annualPercentageRate} APR, ₹${card.installmentAmount} each`
            : (card.lenderStateReason ?? 'waits for a bank statement')
        progress.note(`${card.lenderName.padEnd(18)} ${text}`)
      }
      const candidates = offers.filter(({ lenderName }) => !values.lender || lenderName.includes(values.lender))
      const [best] = candidates.sort(
        (a, b) => Number.parseFloat(a.annualPercentageRate ?? '') - Number.parseFloat(b.annualPercentageRate ?? ''),
      )
      if (!best) throw new Error(`no offer is from a lender named ${values.lender}`)
      const offerParams = { journeyID, offerID: best.offerID }
      if (values.amount)
        await borrower.setLoanAmount({
          params: offerParams,
          body: { amount: values.amount },
        })
      const { branches } = await borrower.getOffer({ params: offerParams })
      const [nearest] = branches
      const body = nearest ? { branchID: nearest.branchID } : {}
      await borrower.selectOffer({ params: offerParams, body })
      progress.done(`Proceeded with ${best.lenderName}${nearest ? `, branch ${nearest.name}` : ''}`)
      return best.offerID
    }
    await sleep(1000)
  }
}

const titles: [keyof Steps, string][] = [
  ['kyc', values.gold ? 'Visit to the branch' : 'KYC'],
  ['bankMandate', 'Bank account'],
  ['eMandate', 'E-mandate'],
  ['loanAgreement', 'Loan agreement'],
  ['disbursal', 'Disbursal'],
]

/** Completes the steps until the loan is disbursed. */
async function walkSteps(borrower: Borrower, journeyID: string, offerID: string, progress: Progress): Promise<void> {
  const params = { journeyID, offerID }
  const completed = new Set<string>()
  for (;;) {
    const { status } = await borrower.getJourneyState({ params: { journeyID } })
    const steps = await borrower.getSteps({ params })
    for (const [name, title] of titles) {
      if (steps[name].status !== 'SUCCESS' || completed.has(name)) continue
      completed.add(name)
      progress.done(title)
    }
    if (status === 'DISBURSED') return
    if (['REJECTED', 'EXPIRED', 'CLOSED'].includes(status)) throw new Error(`the journey ended: ${status}`)
    if (status === 'AA_REQUIRED') await giveConsent(borrower, journeyID, progress)
    // A lender may ask for a later step while it still checks an earlier one. The borrower's steps come first.
    const openSteps = titles.filter(([name]) => !['SUCCESS', 'NOT_REQUIRED'].includes(steps[name].status))
    const nextStep =
      openSteps.find(([name]) => ['REDIRECT', 'SUBMIT_FORM'].includes(steps[name].actionRequired)) ?? openSteps[0]
    if (nextStep) await performStep(borrower, params, nextStep, steps, progress)
    await sleep(700)
  }
}

/** Opens the account aggregator's page and gives the consent that a lender waits for. */
async function giveConsent(borrower: Borrower, journeyID: string, progress: Progress): Promise<void> {
  const { items } = await borrower.listAaSessions({ params: { journeyID } })
  const session = items.find(({ actionRequired }) => actionRequired === 'REDIRECT')
  if (!session) return
  const params = { journeyID, aaSessionID: session.aaSessionID }
  const { redirectURL } = await borrower.createAaRedirect({ params })
  await answerLenderPage(redirectURL)
  progress.done('Consent to share the bank statement')
}

async function performStep(
  borrower: Borrower,
  params: { journeyID: string; offerID: string },
  [name, title]: [keyof Steps, string],
  steps: Steps,
  progress: Progress,
): Promise<void> {
  const step = steps[name]
  const problem = step.diagnostics?.problem
  progress.running(`${title}: ${problem ? `${problem} ` : ''}${step.actionRequired.toLowerCase().replaceAll('_', ' ')}`)
  if (step.actionRequired === 'REDIRECT' && step.resource.redirectURL) {
    await answerLenderPage(step.resource.redirectURL)
    // Some lenders never report that a page is done, and go on with the borrower's return.
    if (name === 'kyc') await borrower.returnFromKyc({ params })
    if (name === 'eMandate') await borrower.returnFromEMandate({ params })
    if (name === 'loanAgreement') await borrower.returnFromLoanAgreement({ params })
  }
  if (step.actionRequired === 'SUBMIT_FORM')
    await borrower.submitBankMandate({
      params,
      body: account,
    })
}

async function printSummary(borrower: Borrower, journeyID: string, offerID: string, progress: Progress): Promise<void> {
  const detail = await borrower.getOffer({ params: { journeyID, offerID } })
  const [first] = detail.installments
  progress.note(
    `₹${detail.amountPrincipal} from ${detail.lenderName}, ${detail.installments.length} instalments${first ? `, the first of ₹${first.amount} on ${first.dueOn}` : ''}`,
  )
  progress.end('Disbursed')
}

try {
  await main()
} catch (error) {
  process.stderr.write(
    `\n${error instanceof LendloomError ? `${error.message} ${JSON.stringify(error.details)}` : (error as Error).message}\n`,
  )
  process.exitCode = 1
}
