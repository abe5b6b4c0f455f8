// The complaints area: queue, complaint pages, monthly report and officers.
import type { AreaProps } from '../area.ts'
import { Erasures } from '../privacy/erasure-list.tsx'
import { BorrowerData } from '../privacy/personal-data.tsx'
import { isOfPlatform, mayHandleData } from '../session.ts'
import { PageHead } from '../ui/components.tsx'
import { Tabs, type TabsProps } from '../ui/tabs.tsx'
import { ComplaintPage } from './complaint.tsx'
import { Report } from './monthly-report.tsx'
import { Officers } from './officers.tsx'
import { Queue, QueueActs } from './queue.tsx'

export function Complaints({ rest: [part, borrowerId] }: AreaProps) {
  if (part !== undefined && !['report', 'officers', 'erasures'].includes(part))
    return <ComplaintPage key={part} complaintId={part} />
  if (part === 'erasures' && borrowerId !== undefined) return <BorrowerData key={borrowerId} borrowerId={borrowerId} />
  return (
    <>
      <PageHead title="Complaints" about={abouts[part ?? 'queue'] ?? ''}>
        {part === undefined && <QueueActs />}
      </PageHead>
      <Tabs path={['complaints']} label="Parts of complaints" parts={shownParts()} now={part} />
      {part === undefined && <Queue />}
      {part === 'report' && <Report />}
      {part === 'officers' && <Officers />}
      {part === 'erasures' && <Erasures />}
    </>
  )
}

const abouts: Record<string, string> = {
  queue: 'Complaints from the borrower’s page, by email or by telephone. Overdue complaints come first.',
  report: 'Complaints of a month by topic: received, resolved and pending.',
  officers:
    'Who handles complaints. The borrower’s page and every email name our officers, as the regulator requires; a lender’s officers receive the complaints that we send to it.',
  erasures: 'Borrowers’ requests to erase their personal data, and who decided them.',
}

const shownParts = (): TabsProps['parts'] => [
  [undefined, 'Queue'],
  ['report', 'Monthly report'],
  ...(isOfPlatform.value ? [['officers', 'Officers'] as const] : []),
  ...(mayHandleData() ? [['erasures', 'Erasure requests'] as const] : []),
]
