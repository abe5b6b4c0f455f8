// Checkmark shown on success.
export const Tick = () => (
  <svg class="tick" viewBox="0 0 48 48" aria-hidden="true">
    <circle cx="24" cy="24" r="22" />
    <path d="m14 25 7 7 14-15" />
  </svg>
)
