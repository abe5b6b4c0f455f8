// The branches that accept gold: their distance, a summary, and the address of each.
import type { EmbedBranch } from '@lendloom/wire/hosted/embed-lender'
import { units } from '../page/format.ts'
import { t } from '../text.ts'

/** The maximum distance of a preselected branch, because borrowers carry gold to it. */
const nearKm = 50
/** Whether the borrower can carry gold to a branch. */
export const isNear = ({ aboutKm }: EmbedBranch): boolean => aboutKm !== null && aboutKm <= nearKm

/** Whether every branch of known distance is far. `branches` is sorted by distance, unknown ones last. */
export const isFar = (branches: EmbedBranch[]): boolean => branches[0]?.aboutKm != null && !branches.some(isNear)

/** How many branches there are, and how far the nearest one is. */
export function summaryOf(branches: EmbedBranch[]): string {
  const km = branches[0]?.aboutKm ?? null
  const count = branches.length
  if (km === null) return t('branch.count', { count })
  return km === 0 ? t('branch.count.here', { count }) : t('branch.count.far', { count, km: units(`${km}`) })
}

/** Name and distance, then the address. `road` is the travel time. */
export function Branch({ branch, road }: { branch: EmbedBranch; road?: string }) {
  const { name, address, pincode, aboutKm } = branch
  return (
    <span class="branch">
      <b>{name}</b>{' '}
      {aboutKm !== null && (
        <small>
          {aboutKm === 0 ? t('branch.here') : t('branch.far', { km: units(`${aboutKm}`) })}
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
