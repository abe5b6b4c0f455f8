// The list of requests for erasure of all borrowers, newest first.
import type { Erasure } from '@lendloom/wire/console/privacy'
import { erasureStates } from '@lendloom/wire/console/privacy-lists'
import { query } from '../router.ts'
import { tenantId } from '../session.ts'
import { Badge, Empty, Time } from '../ui/components.tsx'
import { NoMatch, Select } from '../ui/filter.tsx'
import { type Column, Table, useList } from '../ui/list.tsx'
import { toRow, withTenant } from '../ui/tenant-column.tsx'
import { stateWords } from './privacy-texts.ts'

export function Erasures() {
  const state = query.value('state')
  const list = useList<Erasure>('/privacy/erasures', { tenantId: tenantId.value, state })
  return (
    <>
      <div class="filters">
        <Select
          name="state"
          label="State"
          any="Any state"
          options={erasureStates.map((each) => [each, stateWords[each][1]])}
        />
      </div>
      <Table
        label="Erasure requests"
        list={list}
        keyOf={({ erasureId }) => erasureId}
        href={(each) =>
          each.journeyId
            ? toRow(each, 'journeys', each.journeyId, 'personal-data')
            : toRow(each, 'complaints', 'erasures', each.borrowerId)
        }
        columns={withTenant(columns)}
        empty={state ? <NoMatch title="No requests are in this state" filters={['state']} /> : <NoRequest />}
      />
    </>
  )
}

const NoRequest = () => (
  <Empty title="No requests for erasure yet">
    <p>
      When a borrower asks to erase their data, record the request on the page of one of their journeys, under “Personal
      data”, or with <code>lendloom privacy erase</code>. Another grievance officer or admin decides.
    </p>
  </Empty>
)

const columns: Column<Erasure>[] = [
  { head: 'Reason', cell: ({ reason }) => reason },
  {
    head: 'State',
    isState: true,
    cell: ({ state }) => <Badge tone={stateWords[state][0]}>{stateWords[state][1]}</Badge>,
  },
  { head: 'Recorded by', isMinor: true, cell: ({ requestedBy }) => requestedBy ?? 'Command line' },
  { head: 'Decided by', isMinor: true, cell: ({ decidedAt, decidedBy }) => decidedAt && (decidedBy ?? 'Command line') },
  { head: 'Recorded', isNumber: true, isMinor: true, cell: ({ requestedAt }) => <Time at={requestedAt} /> },
]
