package boot

import "errors"

// VisitorsConfig is the environment of functions that let people in who have
// not signed in. Without an organisation there are none.
type VisitorsConfig struct {
	Org      string `env:"ANONYMOUS_ORG"`   // id of the organisation that they visit
	Email    string `env:"ANONYMOUS_EMAIL"` // of the account that they share, a viewer of it
	Password string `env:"ANONYMOUS_PASSWORD"`
	// that they may use, all of them reading; "*" = every such tool
	Tools    []string `env:"ANONYMOUS_TOOLS"`
	RateAll  uint16   `env:"RATE_ANONYMOUS, default=30"`         // turns per minute of all visitors; 0 is no bound
	RateEach uint16   `env:"RATE_ANONYMOUS_VISITOR, default=10"` // of one visitor
}

// Check reports what is missing.
func (c VisitorsConfig) Check() error {
	switch {
	case c.Org == "":
		return nil
	case c.Email == "":
		return errors.New("ANONYMOUS_EMAIL is not set, and ANONYMOUS_ORG is")
	case c.Password == "":
		return errors.New("ANONYMOUS_PASSWORD is not set, and ANONYMOUS_ORG is")
	}
	return nil
}
