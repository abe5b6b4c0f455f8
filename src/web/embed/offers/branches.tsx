// The branches that take gold in: what is said of one, and how far they are.
import type { EmbedBranch } from '#contract/hosted/embed.ts'
import { t } from '../text.ts'

/** As far as one goes to bring gold: only such a branch is chosen before the borrower has chosen. */
const nearKm = 50
export const isNear = ({ aboutKm }: EmbedBranch): boolean => aboutKm !== null && aboutKm <= nearKm

/** Whether it is known that none of them is near; of those whose distance nobody knows, nothing is. */
export const isFar = (branches: EmbedBranch[]): boolean => branches[0]?.aboutKm != null && !branches.some(isNear)

/** How many there are, and how far the nearest is: they come nearest first. */
export function summaryOf(branches: EmbedBranch[]): string {
  const km = branches[0]?.aboutKm ?? null
  const count = branches.length
  if (km === null) return t('branch.count', { count })
  return km === 0 ? t('branch.count.here', { count }) : t('branch.count.far', { count, km })
}

/** Name and distance, then the address. `road` is what is said of the way there. */
export function Branch({ branch, road }: { branch: EmbedBranch; road?: string }) {
  const { name, address, pincode, aboutKm } = branch
  return (
    <span class="branch">
      <b>{name}</b>{' '}
      {aboutKm !== null && (
        <small>
          {aboutKm === 0 ? t('branch.here') : t('branch.far', { km: aboutKm })}
          {road && ` · ${road}`}
        </small>
      )}
      <span>
        {address}
        {pincode && !address.includes(pincode) && `${address && ', '}${t('branch.pin', { pin: pincode })}`}
      </span>
    </span>
  )
}
