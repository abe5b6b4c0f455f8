// What to bring to the branch.
import { t } from '../text.ts'

const things = ['gold', 'bills', 'pan', 'address', 'account'] as const

export const Bring = () => (
  <div>
    <h2>{t('visit.bring')}</h2>
    <ul class="bring">
      {things.map((thing) => (
        <li key={thing}>{t(`visit.bring.${thing}`)}</li>
      ))}
    </ul>
  </div>
)
