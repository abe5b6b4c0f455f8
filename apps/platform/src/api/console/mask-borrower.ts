// Masks a borrower's data: enough to distinguish two people, too little to contact them.

/** `Asha V•••••`: the first name and the first letter of each other name. */
export function maskedName(name: string | null | undefined): string | null {
  const [first, ...otherNames] = (name ?? '').trim().split(/\s+/)
  if (!first) return null
  return [first, ...otherNames.map((other) => `${other.charAt(0)}•••••`)].join(' ')
}

export const maskedMobile = (mobile: string): string => `••••••${mobile.slice(-4)}`

export const maskedPan = (pan: string | null | undefined): string | null => (pan ? `•••• ${pan.slice(-4)}` : null)

/** `a•••@mail.example`: the first letter and the domain. */
export function maskedEmail(email: string | null | undefined): string | null {
  if (!email) return null
  const at = email.lastIndexOf('@')
  return `${email.charAt(0)}•••${at < 0 ? '' : email.slice(at)}`
}

export const maskedAccount = (number: string | null | undefined): string | null =>
  number ? `••••${number.slice(-4)}` : null
