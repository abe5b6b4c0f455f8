// The branches that accept gold: the text about each, and their distance.
import type { EmbedBranch } from '#contract/hosted/embed.ts'
import { t } from '../text.ts'

/** How far people bring gold: only a branch this near is preselected. */
const nearKm = 50
export const isNear = ({ aboutKm }: EmbedBranch): boolean => aboutKm !== null && aboutKm <= nearKm

/** Whether all known distances are far; branches of unknown distance decide nothing. */
export const isFar = (branches: EmbedBranch[]): boolean => branches[0]?.aboutKm != null && !branches.some(isNear)

/** Their number, and the distance of the nearest: sorted by distance. */
export function summaryOf(branches: EmbedBranch[]): string {
  const km = branches[0]?.aboutKm ?? null
  const count = branches.length
  if (km === null) return t('branch.count', { count })
  return km === 0 ? t('branch.count.here', { count }) : t('branch.count.far', { count, km })
}

/** Name and distance, then the address. `road` describes the way. */
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
