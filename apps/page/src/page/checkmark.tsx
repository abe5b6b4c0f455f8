// Checkmark shown on success.

import { Icon } from '@lendloom/design/icon'
import { check } from '@lendloom/design/icons'

export const Tick = () => (
  <div class="tick">
    <Icon path={check} />
  </div>
)
