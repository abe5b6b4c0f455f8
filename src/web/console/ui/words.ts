// How codes are put into words, where no text of its own exists for them.

/** `OFFER_SELECTED` and `offer-selected` as `Offer selected`. */
export const worded = (code: string): string => {
  const text = code.replaceAll(/[_-]/g, ' ').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
