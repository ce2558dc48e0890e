/** Forms that ask the browser to make or to use a passkey (WebAuthn Level 3), and send its answer. */

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0))
const textOfBytes = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "")

const listOf = (credentials = []) => credentials.map((one) => ({ ...one, id: bytesOf(one.id) }))

/** The options of the server, which has bytes in base64url. */
const publicKeyOf = ({ allowCredentials, challenge, excludeCredentials, user, ...others }) => ({
  ...others,
  challenge: bytesOf(challenge),
  allowCredentials: listOf(allowCredentials),
  excludeCredentials: listOf(excludeCredentials),
  ...(user === undefined ? {} : { user: { ...user, id: bytesOf(user.id) } }),
})

const answerOf = ({ id, rawId, response, type }) => {
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]
  const known = parts.filter((part) => response[part] != null).map((part) => [part, textOfBytes(response[part])])
  const transports = response.getTransports?.()
  return JSON.stringify({
    id,
    rawId: textOfBytes(rawId),
    type,
    response: { ...Object.fromEntries(known), ...(transports === undefined ? {} : { transports }) },
  })
}

const failures = {
  NotAllowedError: "Cancelled, or no passkey of this service was found on this device.",
  unknown: "That did not work. Try again, or reload the page.",
  InvalidStateError: "This device has a passkey of yours already.",
}

const ask = async (form) => {
  const said = form.querySelector("[role=status]")
  said.textContent = ""
  try {
    const response = await fetch(form.dataset.from, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(new FormData(form)),
    })
    if (response.redirected) return location.reload()
    if (!response.ok) {
      said.textContent = await response.json().then(
        ({ error }) => error,
        () => failures.unknown,
      )
      return
    }
    const publicKey = publicKeyOf(await response.json())
    const credential = await navigator.credentials[form.dataset.passkey]({ publicKey })
    form.elements["passkey_answer"].value = answerOf(credential)
    form.submit()
  } catch (error) {
    said.textContent = failures[error.name] ?? failures.unknown
  }
}

if (window.PublicKeyCredential !== undefined)
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      // other scripts count sent forms
      event.stopPropagation()
      ask(form)
    })
  }
