// Columns of lists of sessions.
import type { Session } from '@lendloom/wire/console/staff'
import { Badge, Time } from './components.tsx'
import type { Column } from './list.tsx'

/** The columns of a list of sessions; the last has the button that ends a session. */
export const sessionColumns = (endButton: Column<Session>['cell']): Column<Session>[] => [
  {
    head: 'Browser',
    cell: ({ browser, isCurrent, allowedBySessionId }) => (
      <>
        {browser} {isCurrent && <Badge tone="info">This session</Badge>}
        {allowedBySessionId !== null && <span class="quiet small block">Ends with the session that allowed it</span>}
      </>
    ),
  },
  { head: 'Network', cell: ({ network }) => network },
  { head: 'Last used', cell: ({ usedAt }) => <Time at={usedAt} /> },
  { head: 'Since', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} exact /> },
  { head: '', isNumber: true, cell: endButton },
]
