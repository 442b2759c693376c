package duffel

import "net/http"

// problem is an error as Duffel answers it.
type problem struct {
	Status  int           `json:"-"`
	Type    string        `json:"type"`
	Title   string        `json:"title"`
	Message string        `json:"message"`
	Code    string        `json:"code"`
	Docs    string        `json:"documentation_url"`
	Source  *source       `json:"source,omitempty"`
	lost    bool          // the connection is broken instead
	header  http.Header   // further headers of the answer
	wait    chan struct{} // the answer waits for it
}

// source is the member of the request that is wrong.
type source struct {
	Field   string `json:"field"`
	Pointer string `json:"pointer"`
}

const docs = "https://duffel.com/docs/api/overview/response-handling"

// Types of errors.
const (
	badRequest   = "invalid_request_error"
	badToken     = "authentication_error"
	badField     = "validation_error"
	badState     = "invalid_state_error"
	tooMany      = "rate_limit_error"
	airlineError = "airline_error"
	apiError     = "api_error"
)

func fails(status int, kind, code, title, message string) *problem {
	return &problem{Status: status, Type: kind, Code: code, Title: title, Message: message, Docs: docs}
}

// invalid is a member that does not hold what it must. The pointer is below data.
func invalid(code, pointer, message string) *problem {
	p := fails(http.StatusUnprocessableEntity, badField, code, titleOf(code), message)
	field := pointer
	for i := len(pointer) - 1; i >= 0; i-- {
		if pointer[i] == '/' {
			field = pointer[i+1:]
			break
		}
	}
	p.Source = &source{Field: field, Pointer: pointer}
	return p
}

// required is a member that is missing.
func required(pointer string) *problem {
	p := invalid("validation_required", pointer, "")
	p.Message = "Field '" + p.Source.Field + "' can't be blank"
	return p
}

// conflict is a request that does not fit the state of what it names.
func conflict(code, title, message string) *problem {
	return fails(http.StatusUnprocessableEntity, badState, code, title, message)
}

func notFound() *problem {
	return fails(http.StatusNotFound, badRequest, "not_found", "Resource not found",
		"The resource you are trying to access does not exist")
}

func gone() *problem {
	return fails(http.StatusUnprocessableEntity, airlineError, "offer_no_longer_available",
		"Requested offer is no longer available",
		"The provided offer is no longer available, please select another offer or create a new offer request to "+
			"get the latest availability")
}

func titleOf(code string) string {
	switch code {
	case "validation_required":
		return "Required field"
	case "validation_length":
		return "Invalid length"
	case "validation_inclusion":
		return "Not included"
	case "validation_unique":
		return "Duplicate value"
	case "invalid_phone_number":
		return "Invalid phone number"
	case "invalid_email_address":
		return "Invalid email address"
	case "invalid_field_sets":
		return "Invalid combination of fields"
	}
	return "Invalid format"
}
