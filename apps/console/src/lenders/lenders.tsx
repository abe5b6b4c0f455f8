// The lenders area: routes and the list of lenders.

import type { Lender } from '@lendloom/wire/console/lenders'
import type {
  NetworkReports,
  NetworkServiceLevel,
  RegistryEntries,
  RegistryEntry,
} from '@lendloom/wire/console/network'
import { useSignal } from '@preact/signals'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Badge, Empty, PageHead, Time } from '../ui/components.tsx'
import { duration, number } from '../ui/format-figures.ts'
import { type Column, Table, useList, useResource } from '../ui/list.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AnswerBar } from './answers-bar.tsx'
import { LenderPage } from './lender.tsx'
import { registryEntryState, stateOfLender } from './lender-texts.ts'
import { ReportsPart } from './network-reports.tsx'
import { EventPage } from './partner-event.tsx'
import { PartnerPage, Partners } from './partners.tsx'
import { OwnEntryPart } from './registry.tsx'
import { LevelPart } from './service-level.tsx'

const parts = [
  [undefined, 'Lenders'],
  ['partners', 'Partners'],
] as const

export function Lenders({ rest: [part, id] }: { rest: string[] }) {
  if ((part === 'sent' || part === 'received') && id) return <EventPage key={id} direction={part} eventId={id} />
  if (part === 'partners' && id) return <PartnerPage key={id} partnerId={id} />
  if (part !== undefined && part !== 'partners') return <LenderPage key={part} lenderId={part} />
  return (
    <>
      <PageHead title="Lenders" about="Lenders, how they answer, and the messages exchanged with them." />
      <Tabs path={['lenders']} label="Parts of lenders" parts={parts} now={part} />
      {part === 'partners' ? <Partners /> : <LenderList />}
    </>
  )
}

/** What a partner has not; a card leaves it out. */
const notApplicable = '–'

const medianCell = ({ hour }: Lender) => (hour.medianMs === null ? notApplicable : duration(hour.medianMs))

function registryCell(lender: Lender, entry: RegistryEntry | undefined) {
  if (lender.isPartner) return notApplicable
  if (!entry) return <span class="quiet">…</span>
  const [tone, text] = registryEntryState(entry)
  return <Badge tone={tone}>{text}</Badge>
}

const columns = (entries: Map<string, RegistryEntry>): Column<Lender>[] => [
  {
    head: 'Lender',
    cell: ({ name, bppId, isPartner }) => (
      <span class="lender">
        {name}
        <span class="quiet small block">{isPartner ? 'Lending partner (events)' : bppId}</span>
      </span>
    ),
  },
  {
    head: 'State',
    isState: true,
    cell: (each) => {
      const [tone, text] = stateOfLender(each)
      return (
        <>
          <Badge tone={tone}>{text}</Badge>
          <span class="quiet small narrow">{each.lastMessageAt && <Time at={each.lastMessageAt} />}</span>
        </>
      )
    },
  },
  {
    head: 'Last hour',
    isMinor: true,
    cell: ({ isPartner, hour }) => (isPartner ? notApplicable : <AnswerBar answers={hour} />),
  },
  { head: 'Median', isNumber: true, isMinor: true, cell: medianCell },
  {
    head: 'Seven days',
    isMinor: true,
    cell: ({ isPartner, week }) => (isPartner ? notApplicable : <AnswerBar answers={week} />),
  },
  { head: 'Offers', isNumber: true, isMinor: true, cell: ({ offers }) => number(offers.offered) },
  {
    head: 'Registry',
    isMinor: true,
    cell: (lender) => registryCell(lender, entries.get(lender.bppId)),
  },
  {
    head: 'Last message',
    isNumber: true,
    isMinor: true,
    cell: ({ lastMessageAt }) => (lastMessageAt ? <Time at={lastMessageAt} /> : notApplicable),
  },
]

function LenderList() {
  const list = useList<Lender>('/lenders', { tenantId: tenantId.value })
  const { value } = useResource<RegistryEntries>('/network/registry', { tenantId: tenantId.value })
  const { value: level } = useResource<NetworkServiceLevel>('/network/level', {})
  const { value: reports } = useResource<NetworkReports>('/network/reports', {})
  const entries = new Map((value?.lenders ?? []).map((entry) => [entry.subscriberId, entry]))
  const showsOnlyOff = useSignal(false)
  const visibleLenders = list.items?.filter(({ off }) => !showsOnlyOff.value || off.length > 0) ?? null
  const offCount = list.items?.filter(({ off }) => off.length > 0).length ?? 0
  return (
    <>
      {offCount > 0 && (
        <label class="only-off">
          <input
            type="checkbox"
            checked={showsOnlyOff.value}
            onChange={(event) => assign(showsOnlyOff, event.currentTarget.checked)}
          />{' '}
          Show only switched-off lenders ({number(offCount)})
        </label>
      )}
      <Table
        label="Lenders"
        list={{ ...list, items: visibleLenders }}
        keyOf={({ lenderId }) => lenderId}
        href={({ lenderId }) => to('lenders', lenderId)}
        columns={columns(entries)}
        empty={
          <Empty title="No lender has answered yet">
            <p>A lender appears here when it first answers a journey’s search.</p>
          </Empty>
        }
      />
      {value?.own && <OwnEntryPart own={value.own} />}
      {level?.days[0] && <LevelPart level={level} />}
      {reports?.collector && <ReportsPart collector={reports.collector} />}
    </>
  )
}
