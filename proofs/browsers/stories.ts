// The stories of the proof: a loan of each product, an app on this machine, and what staff do in console and desk.

import type { TextKey } from '@lendloom/page/text'
import { textPatterns } from '@lendloom/tests/setup/demo-app'
import type { Driver, Person, Target } from './driver.ts'
import type { LocalInstallation, Login } from './place.ts'

export interface Story {
  title: string
  tell(stage: Stage): Promise<void>
}

/** What a story acts with. */
export interface Stage {
  driver: Driver
  place: LocalInstallation
  /** The person at the page, and the borrower at the hosted page in its frame. */
  staff: Person
  borrower: Person
  /** Takes a picture for the report. */
  show(caption: string): Promise<void>
  note(claim: string, holds: boolean, what?: unknown): void
}

/** The width of a phone: WebKit's window is not narrower. */
export const phone = { width: 448, height: 900 }
export const desktop = { width: 1280, height: 900 }

const say = textPatterns('en')
const heading = (key: TextKey): Target => ({ css: 'h1', text: new RegExp(say(key).source.slice(1)) })
const button = (key: TextKey): Target => ({ css: 'button, a.button', text: say(key) })
const named = (text: RegExp): Target => ({ css: 'button, a, [role=option]', text })

/** Starts a product's successful scenario in the demo. */
async function startDemo({ driver, place, staff, borrower, show }: Stage, product: string): Promise<void> {
  await driver.resize(desktop.width, desktop.height)
  await driver.open(`${place.platformUrl}/demo`)
  await staff.press(named(new RegExp(`^${product}$`)))
  await staff.press(named(/^All goes well/))
  await borrower.find('#field-pan', ({ value }) => value !== '')
  await show(`${product}: the demo`)
}

/** Completes the profile, and waits for offers. */
async function apply(
  { borrower, show }: Stage,
  secondPart: 'profile.1' | 'profile.gold',
  endUse: string,
): Promise<void> {
  await borrower.press(button('profile.next'))
  await borrower.find(heading(secondPart))
  await show('Second part of the profile')
  await borrower.press(button('profile.next'))
  await borrower.find(heading('profile.2'))
  await borrower.choose('#field-endUse', endUse)
  for (const purpose of ['bureau', 'data_sharing']) await borrower.check(`#field-${purpose}`)
  await show('Third part of the profile')
  await borrower.press(button('profile.submit'))
  await borrower.find(heading('offers.title'))
  await show('Offers')
}

/** Chooses a lender's offer, with what the offer asks for, and accepts its final terms. */
async function accept({ borrower, show }: Stage, lender: string, asksFor?: 'branch' | 'units'): Promise<void> {
  await borrower.press(named(new RegExp(`^Choose ${lender}`)))
  if (asksFor) {
    await borrower.find(button('choose.submit'))
    if (asksFor === 'branch') await borrower.check('input[name=branchID]')
    await show('Amount and term')
    await borrower.press(button('choose.submit'))
  }
  await borrower.find(heading('final.title'))
  await borrower.check('input[type=checkbox]')
  await show('Final terms')
  await borrower.press(button('final.accept'))
}

async function enterAccount({ borrower, show }: Stage): Promise<void> {
  await borrower.find(heading('bank.title'))
  await borrower.fill('#field-accountHolderName', 'Asha Rao')
  for (const name of ['accountNumber', 'accountAgain']) await borrower.fill(`#field-${name}`, '50100123456789')
  await borrower.fill('#field-ifsc', 'HDFC0000001')
  await borrower.check('input[name=accountType][value=saving]')
  await show('The account')
  await borrower.press(button('bank.submit'))
}

/** Opens the lender's page, approves there, and returns. */
async function approve({ driver, borrower, staff, show }: Stage, step: TextKey): Promise<void> {
  await borrower.find(heading(step))
  await borrower.press(button('step.open'))
  await driver.enterPopup()
  await staff.find('button[name=outcome][value=approve]')
  await show('The lender’s page')
  await staff.press('button[name=outcome][value=approve]')
  await staff.leave('button[name=outcome][value=approve]')
  await driver.leavePopup()
}

async function endAtMoney(stage: Stage): Promise<void> {
  const { borrower, staff, show, note, driver } = stage
  await borrower.find(heading('loan.fresh.title'))
  await show('The money is paid out')
  const statuses = await driver.evaluate(
    `JSON.stringify([...document.querySelectorAll('.log *')].filter(({ textContent }) => textContent === 'DISBURSED').length)`,
    false,
  )
  await staff.find('.log')
  note('the app receives DISBURSED from the page and by webhook', Number(statuses) >= 1, statuses)
}

const personalLoan: Story = {
  title: 'A personal loan, from the profile to the money',
  async tell(stage) {
    await startDemo(stage, 'Personal loan')
    await apply(stage, 'profile.1', 'education')
    await accept(stage, 'Kaveri Bank')
    await approve(stage, 'step.kyc')
    await enterAccount(stage)
    await approve(stage, 'step.eMandate')
    await approve(stage, 'step.loanAgreement')
    await endAtMoney(stage)
  },
}

const goldLoan: Story = {
  title: 'A gold loan, from the gold to the visit and the money',
  async tell(stage) {
    const { driver, borrower, staff, show } = stage
    await startDemo(stage, 'Gold loan')
    await apply(stage, 'profile.gold', 'marriage')
    await accept(stage, 'Kaveri', 'branch')
    await borrower.find(heading('step.visit'))
    await show('Before the visit')
    await borrower.press(button('step.visit.open'))
    await driver.enterPopup()
    await staff.find(named(/^Book the visit$/))
    await show('The lender’s page of the visit')
    await staff.press(named(/^Book the visit$/))
    await staff.find(named(/^The visit went well$/))
    await staff.press(named(/^The visit went well$/))
    await staff.leave(named(/^The visit went well$/))
    await driver.leavePopup()
    await borrower.find(heading('loan.fresh.title'))
    await show('The money is paid out')
  },
}

const fundLoan: Story = {
  title: 'A loan against mutual funds, from the statement to the money',
  async tell(stage) {
    await startDemo(stage, 'Loan against mutual funds')
    await apply(stage, 'profile.1', 'education')
    await accept(stage, 'Meridian Finance', 'units')
    await enterAccount(stage)
    for (const step of ['step.kyc', 'step.lien', 'step.eMandate', 'step.loanAgreement'] as const)
      await approve(stage, step)
    await stage.borrower.find(heading('loan.fresh.title'))
    await stage.show('The money is paid out')
  },
}

const localApp: Story = {
  title: 'An app on this machine that embeds the page on a phone',
  async tell({ driver, place, borrower, show, note }) {
    await driver.resize(phone.width, phone.height)
    await driver.open(await place.appUrl())
    await borrower.find('#field-pan')
    const read = async () => JSON.parse(await driver.evaluate('JSON.stringify(window.seen)', false))
    const height = async () => Number(await driver.evaluate(`document.querySelector('iframe').height`, false))
    for (let i = 0; i < 100 && !(await read()).includes('update STARTED'); i++)
      await new Promise((next) => setTimeout(next, 100))
    const seen = await read()
    note(
      'the app on localhost receives messages of the page',
      seen.includes('ready') && seen.includes('update STARTED'),
      seen,
    )
    const content = Number(await driver.evaluate(`Math.ceil(app.getBoundingClientRect().height)`, true))
    note('the frame is as high as the page', (await height()) === content && content !== 600, `${await height()} px`)
    await show('The page in an app, on a phone')
  },
}

/** Signs in to console or desk on a wide screen. */
async function signIn({ driver, staff, show }: Stage, { url, email, password }: Login): Promise<void> {
  await driver.resize(desktop.width, desktop.height)
  await driver.open(url)
  await staff.fill('input[type=email]', email)
  await staff.fill('input[type=password]', password)
  await show('Sign in')
  await staff.press(named(/^Sign in$/))
  await staff.find({ css: 'h1', text: /^Overview$/ })
}

const consoleDay: Story = {
  title: 'The console: sign in, figures, a journey, deliveries, keys',
  async tell(stage) {
    const { driver, place, staff, show } = stage
    await signIn(stage, place.operator)
    await staff.find('.figures')
    await show('Overview')
    await staff.press({ css: 'nav a', text: /^Journeys/ })
    await staff.find('tbody a')
    await show('Journeys')
    await staff.press('tbody a')
    await staff.find({ css: 'section, [role=region]', text: /STARTED|Started/ })
    await show('A journey')
    for (const area of ['Webhooks', 'Lenders', 'Grievances', 'Developers', 'Audit']) {
      await staff.press({ css: 'nav a', text: new RegExp(`^${area}`) })
      await staff.find({ css: 'h1', text: new RegExp(`^${area}`) })
      await show(area)
    }
    await driver.resize(phone.width, phone.height)
    await driver.open(place.operator.url)
    await staff.find('.figures')
    await show('Overview on a phone')
    await staff.press({ css: 'nav a', text: /^Journeys/ })
    await staff.find('tbody a')
    await show('Journeys on a phone')
  },
}

const deskDay: Story = {
  title: 'The desk of the lending partner: sign in, cases, books',
  async tell(stage) {
    const { driver, place, staff, show } = stage
    await signIn(stage, place.officer)
    await show('Overview')
    for (const area of ['Portfolio', 'Cases', 'Payments', 'Collections', 'Books']) {
      await staff.press({ css: '.top nav a', text: new RegExp(`^${area}$`) })
      await staff.find({ css: 'h1', text: /./ })
      await staff.find({ css: '.top nav a[aria-current]', text: new RegExp(`^${area}$`) })
      await show(area)
    }
    await driver.resize(phone.width, phone.height)
    await driver.open(place.officer.url)
    await staff.find({ css: 'h1', text: /^Overview$/ })
    await show('Overview on a phone')
  },
}

const mailbox: Story = {
  title: 'The sandbox’s mailbox',
  async tell({ driver, place, staff, show }) {
    await driver.resize(desktop.width, desktop.height)
    await driver.open(`${place.sandboxUrl}/mailbox`)
    await staff.press(named(/^Write$/))
    await staff.find('textarea')
    await show('Write an email')
  },
}

export const stories: Story[] = [personalLoan, goldLoan, fundLoan, localApp, consoleDay, deskDay, mailbox]
