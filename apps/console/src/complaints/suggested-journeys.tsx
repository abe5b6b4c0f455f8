// Journeys that an unmatched complaint may belong to.
import type { ComplaintDetail } from '@lendloom/wire/console/complaints'
import { productName } from '../journeys/journey-texts.ts'
import { to } from '../router.ts'
import { labelOf } from '../ui/code-labels.ts'
import { Id, SmallButton, Time } from '../ui/components.tsx'

interface SuggestionsProps {
  complaint: ComplaintDetail
  onMatch(journeyId: string): void
}

export const Suggestions = ({ complaint: { suggestions }, onMatch }: SuggestionsProps) => (
  <section class="card suggestions" aria-labelledby="suggestions">
    <h2 id="suggestions">Journeys of the mobile number in the text</h2>
    <p class="quiet small">
      The sender did not prove that the number is theirs. Compare the names before you match: the borrower then sees the
      complaint.
    </p>
    <ul class="offers">
      {suggestions.map(({ journeyId, tenant, product, status, name, createdAt }) => (
        <li key={journeyId}>
          <span>
            <span>
              <a href={to('journeys', journeyId)}>{name ?? 'Borrower without a name'}</a> <Id value={journeyId} />
            </span>
            <SmallButton onClick={() => onMatch(journeyId)}>Match</SmallButton>
          </span>
          <span class="quiet small">
            {[tenant, productName(product), labelOf(status)].filter(Boolean).join(' · ')} · <Time at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  </section>
)
