// What needs attention now: the first lines of the overview, and the list behind the bell of every page.

import { Icon } from '@lendloom/design/icon'
import { bell, check } from '@lendloom/design/icons'
import { zonedText } from '@lendloom/lending/time-text'
import { useSignal } from '@preact/signals'
import { attention, attentionLink, attentionText } from './attention.ts'
import { to, withQuery } from './router.ts'
import { assign } from './ui/assign-signal.ts'
import { momentText } from './ui/clock.ts'

const NothingNow = () => (
  <p class="all-well">
    <Icon path={check} /> Nothing needs attention now.{' '}
    <span class="quiet">
      Journeys that wait for their borrower do not count:{' '}
      <a href={withQuery(to('journeys'), 'waiting=borrower&longer=3d')}>those that wait for over 3 days</a>.
    </span>
  </p>
)

/** `onOpen` is called when a line is opened. */
const Lines = ({ onOpen }: { onOpen?: () => void }) => (
  <ul>
    {attention.value?.map((item) => (
      <li key={item.kind}>
        <a href={attentionLink(item)} onClick={onOpen}>
          {attentionText(item)}
        </a>
        {item.since && (
          <span class="quiet">
            since <time title={zonedText(new Date(item.since))}>{momentText(item.since)}</time>
          </span>
        )}
      </li>
    ))}
  </ul>
)

export const NeedsAttention = () => {
  const items = attention.value
  if (!items) return null
  if (items.length === 0) return <NothingNow />
  return (
    <section class="needs-attention" aria-labelledby="needs-attention">
      <h2 id="needs-attention">
        <span aria-hidden="true">!</span> Needs attention now
      </h2>
      <Lines />
    </section>
  )
}

const menuId = 'attention-menu'

/** The bell with the number of lines, which it opens as a list. A closed list is not in the page. */
export function Bell() {
  const isOpen = useSignal(false)
  const count = attention.value?.length ?? 0
  return (
    <div class="bell">
      <button
        type="button"
        popovertarget={menuId}
        aria-label={count === 0 ? 'Nothing needs attention' : `Needs attention: ${count}`}
      >
        <Icon path={bell} />
        {count > 0 && (
          <span class="attention-count" aria-hidden="true">
            {count}
          </span>
        )}
      </button>
      <div
        id={menuId}
        popover="auto"
        class="menu attention"
        onBeforeToggle={({ newState }) => assign(isOpen, newState === 'open')}
      >
        {isOpen.value && (
          <>
            <h2>Needs attention now</h2>
            {count === 0 ? <NothingNow /> : <Lines onOpen={() => document.getElementById(menuId)?.hidePopover()} />}
          </>
        )}
      </div>
    </div>
  )
}
