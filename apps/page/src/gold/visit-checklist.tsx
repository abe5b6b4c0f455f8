// The list of things to bring to the branch.
import { t } from '../text.ts'

const items = ['gold', 'bills', 'pan', 'address', 'account'] as const

export const ThingsToBring = () => (
  <div>
    <h2>{t('visit.bring')}</h2>
    <ul class="bring">
      {items.map((item) => (
        <li key={item}>{t(`visit.bring.${item}`)}</li>
      ))}
    </ul>
  </div>
)
