// What needs the attention of the user now: the items with their texts and links, for the navigation and the overview.

import type { Attention, AttentionItem } from '@lendloom/wire/console/attention'
import { causeText } from '@lendloom/wire/webhook/answer-text-en'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get } from './api.ts'
import { to, toOf, withQuery } from './router.ts'
import { tenantId } from './session.ts'
import { cappedCount, countText } from './ui/format-figures.ts'
import { useRefresh } from './ui/periodic-refresh.ts'

/** The items of the selected tenant; null until they are loaded. */
export const attention = signal<AttentionItem[] | null>(null)

/** How often the items are loaded again. */
const refreshMs = 30_000

/** Loads the items of the selected tenant. A failed request keeps the previous items. */
export function readAttention(): void {
  const tenant = tenantId.peek()
  get<Attention>('/attention', { tenantId: tenant }).then(
    ({ items }) => {
      if (tenant === tenantId.peek()) attention.value = items
    },
    () => {},
  )
}

/** Keeps the items up to date while the console is open. */
export function useAttention(): void {
  useRefresh(readAttention, refreshMs)
  useEffect(() => {
    attention.value = null
    readAttention()
  }, [tenantId.value])
}

interface KindWords {
  area: string
  text(item: AttentionItem): string
  href(item: AttentionItem): string
}

/** The area, text and link of each kind of item. */
const itemKinds: Record<AttentionItem['kind'], KindWords> = {
  FAILING_ENDPOINTS: {
    area: 'webhooks',
    text: ({ count, endpoint }) =>
      (endpoint ? endpointText(endpoint) : 'An endpoint does not accept updates') +
      (count > 1 ? `, and ${countText(count - 1, 'other endpoint')} ${count === 2 ? 'fails' : 'fail'} too` : ''),
    href: ({ count, endpoint }) =>
      count === 1 && endpoint ? toOf(endpoint.tenantId, 'webhooks', endpoint.endpointId) : to('webhooks'),
  },
  GIVEN_UP_UPDATES: {
    area: 'webhooks',
    text: ({ count }) => `${capped(count, 'update')} could not be delivered in the last 30 days`,
    href: () => withQuery(to('webhooks', 'deliveries'), 'state=EXHAUSTED&since=30d'),
  },
  OVERDUE_COMPLAINTS: {
    area: 'complaints',
    text: ({ count }) => `${countText(count, 'complaint')} ${count === 1 ? 'is' : 'are'} past the deadline`,
    href: () => withQuery(to('complaints'), 'due=overdue'),
  },
  NEW_COMPLAINTS: {
    area: 'complaints',
    text: ({ count }) => `${countText(count, 'new complaint')} ${count === 1 ? 'is' : 'are'} assigned to no officer`,
    href: () => withQuery(to('complaints'), 'assignee=none'),
  },
  WAITING_FOR_LENDER: {
    area: 'journeys',
    text: ({ count }) => `${countText(count, 'journey')} ${count === 1 ? 'waits' : 'wait'} for a lender for over a day`,
    href: () => withQuery(to('journeys'), 'waiting=lender&longer=1d'),
  },
  STUCK_EVENTS: {
    area: 'lenders',
    text: ({ count }) => `${countText(count, 'partner event')} cannot be applied`,
    href: () => withQuery(to('lenders', 'partners'), 'state=GAP&direction=received'),
  },
  UNSTORED_FILES: {
    area: 'lenders',
    text: ({ count }) => `${countText(count, 'file')} ${count === 1 ? 'is' : 'are'} not stored by the lending partner`,
    href: () => to('lenders', 'partners'),
  },
  FAILED_MAIL: {
    area: 'mail',
    text: ({ count }) => `${countText(count, 'mail')} could not be delivered`,
    href: () => withQuery(to('mail'), 'state=FAILED'),
  },
  SET_ASIDE_MAIL: {
    area: 'mail',
    text: ({ count }) => `${countText(count, 'incoming mail')} could not be read as a complaint`,
    href: () => to('mail'),
  },
  LATE_REPORTS: {
    area: 'lenders',
    text: ({ count }) => `${capped(count, 'message')} ${count === 1 ? 'waits' : 'wait'} to be reported to the network`,
    href: () => to('lenders'),
  },
  REFUSED_REPORTS: {
    area: 'lenders',
    text: ({ count }) => `The network refused ${capped(count, 'reported message')} in the last 7 days`,
    href: () => to('lenders'),
  },
}

const endpointText = ({ url, lastAnswer }: NonNullable<AttentionItem['endpoint']>): string =>
  `${url.replace(/^https:\/\//, '')} ${lastAnswer === null ? 'does not accept updates' : causeText(lastAnswer)}`

const capped = (count: number, noun: string): string =>
  count > 10_000 ? `${cappedCount(count)} ${noun}s` : countText(count, noun)

/** The text of an item. */
export const attentionText = (item: AttentionItem): string => itemKinds[item.kind].text(item)
/** The address of the list in which the item is. */
export const attentionLink = (item: AttentionItem): string => itemKinds[item.kind].href(item)

/** Counts the lines, as the bell does, because a sum of endpoints and updates would count nothing. */
const countOf = (isCounted: (item: AttentionItem) => boolean): number =>
  (attention.value ?? []).filter(isCounted).length

/** Counts the lines of what needs attention in an area. */
export const attentionCount = (area: string): number => countOf(({ kind }) => itemKinds[kind].area === area)

/** Counts the lines of what needs attention on a page. */
export const attentionCountAt = (href: string): number =>
  countOf((item) => pathOf(attentionLink(item)) === pathOf(href))
const pathOf = (href: string): string | undefined => href.split('?')[0]
