// Links below every screen to help, complaints and the borrower's consents. Each opens a screen of its own, which hides the
// journey's screen but keeps its input; the chunks are loaded on demand. A new application also links to an earlier loan.
import { Icon } from '@lendloom/design/icon'
import { arrowLeft } from '@lendloom/design/icons'
import type { EmbedEarlierLoanReply } from '@lendloom/wire/hosted/embed-requests'
import { useEffect } from 'preact/hooks'
import { chunkOf, Fetched } from '../page/load-chunk.tsx'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'

const help = chunkOf('help', 'help')
export const consents = chunkOf('consents', 'consents')

const setAside = (aside: typeof page.aside.value) => () => {
  page.aside.value = aside
}
const close = setAside('')

/** Shows the earlier loan in its own session, and keeps that of the application, to which the borrower returns. */
function openEarlierLoan(): void {
  const { session, memory } = page
  const { session: application, relayed = 0 } = memory.stored
  void session.act<EmbedEarlierLoanReply>(
    { method: 'POST', path: '/journey/earlier-loan' },
    ({ sessionToken, relayed: relayedOfLoan }) =>
      memory.update({
        session: sessionToken,
        relayed: relayedOfLoan,
        ...(application && { application: { session: application, relayed } }),
      }),
  )
}

function returnToApplication(): void {
  const { session, memory } = page
  const { application } = memory.stored
  memory.update({ ...application, application: null })
  session.reopen()
}

/** A row below the form of a new application. */
function EarlierLoan() {
  const { earlierLoan, screen } = page.view.value
  if (screen !== 'PROFILE' || !earlierLoan) return null
  return (
    <p key={page.titles.value} class="earlier">
      <button type="button" class="quiet" onClick={openEarlierLoan}>
        {t(earlierLoan.creditLine ? 'earlier.open.line' : 'earlier.open', { lender: earlierLoan.lender })}
      </button>
    </p>
  )
}

/** The way from an earlier loan back to the new application, above the screen. */
export function ApplicationLink() {
  const { state, view } = page.session
  // The memory tells of no change, but the view changes with it.
  const isShown = state.value === 'open' && view.value && page.aside.value === ''
  if (!isShown || !page.memory.stored.application) return null
  return (
    <p class="earlier back">
      <button type="button" class="quiet" onClick={returnToApplication}>
        <Icon path={arrowLeft} /> {t('earlier.back')}
      </button>
    </p>
  )
}

export function HelpLink() {
  const aside = page.aside.value
  const isOpen = aside !== ''
  // Returns to the start of the journey's screen.
  useEffect(() => (isOpen ? () => document.querySelector<HTMLElement>('h1')?.focus() : undefined), [isOpen])
  if (page.session.state.value !== 'open') return null
  if (aside.startsWith('help:'))
    return <Fetched key="help" chunk={help} render={() => page.help && <page.help close={close} />} />
  if (aside === 'given')
    return <Fetched key="given" chunk={consents} render={() => page.consents && <page.consents close={close} />} />
  return (
    <>
      <EarlierLoan />
      <p key={page.titles.value} class="asides">
        <button type="button" class="quiet" onClick={setAside('help:')}>
          {t('help.open')}
        </button>
        <button type="button" class="quiet" onClick={setAside('given')}>
          {t('given.open')}
        </button>
      </p>
    </>
  )
}
