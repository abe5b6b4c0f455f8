// The first lines of the overview: what needs attention now.

import { Icon } from '@lendloom/design/icon'
import { check } from '@lendloom/design/icons'
import { zonedText } from '@lendloom/lending/time-text'
import { attention, attentionLink, attentionText } from '../attention.ts'
import { momentText } from '../ui/clock.ts'

export const NeedsAttention = () => {
  const items = attention.value
  if (!items) return null
  if (items.length === 0)
    return (
      <p class="all-well">
        <Icon path={check} /> Nothing needs attention now.
      </p>
    )
  return (
    <section class="needs-attention" aria-labelledby="needs-attention">
      <h2 id="needs-attention">
        <span aria-hidden="true">!</span> Needs attention now
      </h2>
      <ul>
        {items.map((item) => (
          <li key={item.kind}>
            <a href={attentionLink(item)}>{attentionText(item)}</a>
            {item.since && (
              <span class="quiet">
                since <time title={zonedText(new Date(item.since))}>{momentText(item.since)}</time>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
